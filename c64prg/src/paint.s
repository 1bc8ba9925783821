; Brings the transcript's window to the screen. All of it is painted from the
; ring, row by row and in step with the beam, so that it does not tear; how far
; it has scrolled since the last time does not matter.
.include "p64.inc"

BEAM_FIRST = 50                 ; raster lines in which painting waits: the beam
BEAM_LAST  = 82                 ; would be caught up with
BEAM_LEAD  = 90                 ; how far it may be when the window is painted
ROW_UNKNOWN = $FF               ; in row_colour: another view wrote there
ROW_BLANK   = $FE               ; empty already

.zeropage
paint_want:     .res 1          ; PAINT_...
paint_row:      .res 1
paint_line:     .res 1

.bss
painted_at:     .res 1          ; frame of the last full painting
row_colour:     .res WIN_ROWS   ; colours that the rows have now
paint_rows:     .res 1

.code
; Forgets what colours the rows have: another view has written there.
; Clobbers A, X.
paint_forget:
        lda     #ROW_UNKNOWN
        ldx     #WIN_ROWS - 1
@row:   sta     row_colour,x
        dex
        bpl     @row
        lda     #PAINT_ALL
        sta     paint_want
        rts

; Paints if there is something to paint and this is the moment: at once when all
; that came is in the transcript, every second frame while more waits.
; Clobbers A, X, Y.
paint_serve:
        lda     paint_want
        beq     @no
        lda     view
        cmp     #VIEW_CHAT
        bne     @no
        bit     paint_want
        bmi     @all
        lda     ring_back       ; a change of the last line only
        bne     @clear
        lda     rx_ready
        beq     @no
        jsr     paint_last
@clear: lda     #0
        sta     paint_want
@no:    rts
@all:   lda     frame_count
        sec
        sbc     painted_at
        beq     @no             ; once in this frame
        cmp     #2
        bcs     @beam
        lda     rx_ready
        beq     @no
        lda     nmi_put+1       ; the serial link's ring
        cmp     ser_tail
        bne     @no
@beam:  lda     $D011
        bmi     @now
        lda     $D012
        cmp     #BEAM_FIRST
        bcc     @now
        cmp     #BEAM_LAST
        bcc     @no
@now:   lda     frame_count
        sta     painted_at
        lda     #0
        sta     paint_want
        ; falls through

; Paints the window. 11,000 cycles where no row changes its colour.
; Clobbers A, X, Y, ptr.
paint_all:
        lda     ring_count
        cmp     #WIN_ROWS
        bcc     @short
        lda     ring_back
        clc
        adc     #WIN_ROWS - 1
        jsr     ring_index
        stx     paint_line
        lda     #WIN_ROWS
        bne     @rows           ; always
@short: sec
        sbc     #1
        jsr     ring_index
        stx     paint_line
        lda     ring_count
@rows:  sta     paint_rows
        lda     #0
        sta     paint_row
@next:  ldy     paint_line
        jsr     paint_one
        ldy     paint_line
        iny
        cpy     #RING_LINES
        bcc     @in
        ldy     #0
@in:    sty     paint_line
        inc     paint_row
        lda     paint_row
        cmp     paint_rows
        bcs     @rest
        and     #7              ; a key does not wait for all of it
        bne     @next
        jsr     keys_serve
        lda     view            ; it may have opened another view
        cmp     #VIEW_CHAT
        beq     @next
        rts
@rest:  cmp     #WIN_ROWS       ; rows below a short transcript
        bcs     @done
        tax
        lda     row_colour,x
        cmp     #ROW_BLANK
        beq     @blank
        lda     #ROW_BLANK
        sta     row_colour,x
        txa
        clc
        adc     #ROW_WIN
        tax
        ldy     #0
        lda     #ROLE_AGENT
        jsr     screen_at
        jsr     screen_rest
@blank: inc     paint_row
        lda     paint_row
        bne     @rest           ; always
@done:  jmp     status_scroll

; Shows rows that screen_row was told to write. It waits until the beam is past
; the first of them, most of a frame at most, and follows it. In: X = first row,
; A = the row after the last. Clobbers A, X, Y, tmp, tmp2.
paint_window:
        sta     tmp2
        dex
        stx     paint_row
        txa                     ; the first raster line in which the beam has read
        asl                     ; all of that row
        asl
        asl
        adc     #68             ; carry is clear: 24 rows at most
        sta     tmp
@wait:  lda     $D012
        bit     $D011
        bmi     @wait           ; below the screen
        sec
        sbc     tmp
        cmp     #BEAM_LEAD
        bcs     @wait
@row:   lda     paint_row
        clc
        adc     #RING_LINES
        tay
        jsr     paint_one
        inc     paint_row
        ldx     paint_row
        inx
        cpx     tmp2
        bcc     @row
        rts

; Paints the last line where it stands. Clobbers A, X, Y.
paint_last:
        lda     ring_count
        cmp     #WIN_ROWS
        bcc     @row
        lda     #WIN_ROWS
@row:   sec
        sbc     #1
        sta     paint_row
        ldy     ring_tail
        ; falls through

; Paints one row. In: Y = line of the ring, paint_row. Clobbers A, X, Y.
; 530 cycles, 400 more where the colour changes.
paint_one:
        ldx     paint_row
        lda     line_low,y
        sta     src_a+1
        sta     src_b+1
        clc
        adc     #20
        sta     src_c+1
        sta     src_d+1
        lda     line_high,y
        sta     src_a+2
        sta     src_b+2
        adc     #0
        sta     src_c+2
        sta     src_d+2
        lda     row_low+ROW_WIN,x
        sta     dst_a+1
        sta     dst_b+1
        clc
        adc     #20
        sta     dst_c+1
        sta     dst_d+1
        lda     row_high+ROW_WIN,x
        sta     dst_a+2
        sta     dst_b+2
        adc     #0
        sta     dst_c+2
        sta     dst_d+2
        lda     ring_role,y
        tax
        lda     colours,x
        tax
        ldy     #19
src_a:  lda     $FFFF,y         ; 4, 5 over a page
dst_a:  sta     $FFFF,y         ; 5
src_c:  lda     $FFFF,y
dst_c:  sta     $FFFF,y
        dey                     ; 2
src_b:  lda     $FFFF,y
dst_b:  sta     $FFFF,y
src_d:  lda     $FFFF,y
dst_d:  sta     $FFFF,y
        dey
        bpl     src_a           ; 3 = 43 for 4 columns
        txa
        ldx     paint_row
        cmp     row_colour,x
        beq     @same
        sta     row_colour,x
        tay
        lda     dst_a+1         ; the colour row lies as the screen row does
        sta     col
        lda     dst_a+2
        sec
        sbc     #>(SCREEN - COLOURS)
        sta     col+1
        tya
        ldy     #LINE_COLS - 1
@fill:  sta     (col),y
        dey
        bpl     @fill
@same:  rts
