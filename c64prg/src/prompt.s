; The editor on the screen: rows 22 to 24 and the cursor.
.include "p64.inc"

BLINK = 16                      ; frames
INK_UNKNOWN = $FF

.zeropage
rows_full:      .res 1          ; not 0: text stands in the last row too
cursor_code:    .res 1          ; what is beneath it
cursor_on:      .res 1          ; 1: it shows
cursor_wait:    .res 1
row_x:          .res 1
keys_shown:     .res 1          ; not 0: the last row names keys, of a turn or not

.bss
cursor_at:      .res 2          ; its place on the screen
row_ink:        .res EDIT_ROWS  ; colour that a row has, INK_UNKNOWN
row_shown:      .res EDIT_ROWS  ; columns of it that are not blank

.code
; Draws the rows after something else was there. Clobbers A, X, Y.
prompt_show:
        jsr     rows_forget
; Draws the rows. What is there already is left: most keys change one row.
; Clobbers A, X, Y.
prompt_draw:
        lda     #0
        sta     edit_new
        sta     cursor_on
        jsr     layout
        lda     row_cols + EDIT_ROWS - 1
        eor     #NO_ROW         ; 0: the text leaves the last row free
        cmp     rows_full
        beq     @same
        sta     rows_full
        jsr     status_change   ; which names the keys otherwise
@same:  lda     edit_len
        ora     edit_len+1
        bne     @text
        jsr     prompt_hints
        jsr     rows_forget
        ldx     #0
        jsr     prompt_row
        jmp     prompt_cursor
@text:  ldx     #EDIT_ROWS - 1
@row:   txa
        pha
        jsr     prompt_last
        pla
        tax
        dex
        bpl     @row
; Shows the cursor anew. Clobbers A, X, Y.
prompt_cursor:
        lda     #BLINK
        sta     cursor_wait
        ldx     cursor_row
        lda     row_low+ROW_EDIT,x
        clc
        adc     cursor_col
        sta     ptr2
        lda     row_high+ROW_EDIT,x
        adc     #0
        sta     ptr2+1
        lda     ptr2
        clc
        adc     #2
        sta     ptr2
        sta     cursor_at
        lda     ptr2+1
        adc     #0
        sta     ptr2+1
        sta     cursor_at+1
        ldy     #0
        lda     (ptr2),y
        sta     cursor_code
; Shows it.
cursor_show:
        lda     cursor_code
        jsr     font_cursor
        lda     #1
        sta     cursor_on
        lda     #CH_CURSOR
; In: A = code for its place. Clobbers A, Y, ptr2.
cursor_put:
        tax
        mov16   ptr2, cursor_at
        ldy     #0
        txa
        sta     (ptr2),y
        rts

; Once a frame, while the editor shows. Clobbers A, X, Y.
prompt_frame:
        lda     edit_new
        beq     @blink
        jmp     prompt_draw
@blink: dec     cursor_wait
        bne     @none
        lda     #BLINK
        sta     cursor_wait
        lda     cursor_on
        beq     cursor_show
        lda     #0
        sta     cursor_on
        lda     cursor_code
        jmp     cursor_put
@none:  rts

; Draws one row, but the keys in the last one as long as the text leaves it free.
; In: X = 0 to 2. Clobbers A, X, Y.
prompt_last:
        cpx     #EDIT_ROWS - 1
        bne     prompt_row
        lda     row_cols,x
        cmp     #NO_ROW
        beq     @keys
        lda     #0
        sta     keys_shown
        beq     prompt_row      ; always
@keys:  lda     link_state
        eor     #LINK_HELD
        beq     @held           ; 0: RETURN begins anew
        lda     #$40
@held:  ora     turn
        ora     #$80
        cmp     keys_shown
        beq     @same
        sta     keys_shown
        lda     #INK_UNKNOWN
        sta     row_ink,x
        lda     #LINE_COLS - 2
        sta     row_shown,x
        lda     #ROW_EDIT + EDIT_ROWS - 1
        sta     tmp2
        jmp     prompt_keys
@same:  rts

; Draws one row. In: X = 0 to 2. Clobbers A, X, Y.
prompt_row:
        lda     row_cols,x
        sta     tmp2
        cmp     #NO_ROW
        bne     @there
        lda     #0
        sta     tmp2
@there: lda     start_low,x
        clc
        adc     #<EDIT_RAM
        sta     edit_ptr
        lda     start_high,x
        adc     #>EDIT_RAM
        sta     edit_ptr+1
        lda     start_low,x     ; the very first row has the prompt's sign
        ora     start_high,x
        sta     tmp3
        lda     row_cols,x
        cmp     #NO_ROW
        bne     @place
        inc     tmp3
@place: txa
        clc
        adc     #ROW_EDIT
        tax
        ldy     #ROLE_EDIT
        lda     unsent
        beq     @role
        ldy     #ROLE_UNSENT
@role:  tya
        ldy     #0
        stx     row_x
        jsr     screen_at
        ldx     row_x
        lda     ink
        cmp     row_ink - ROW_EDIT,x
        beq     @inked
        sta     row_ink - ROW_EDIT,x
        ldy     #LINE_COLS - 1
@ink:   sta     (col),y
        dey
        bpl     @ink
@inked: ldx     #'>'
        lda     tmp3
        beq     @sign
        ldx     #' '
@sign:  txa
        ldy     #0
        sta     (scr),y
        iny
        lda     #CH_BLANK
        sta     (scr),y
        lda     scr             ; one index for both
        clc
        adc     #2
        sta     scr
        bcc     @same
        inc     scr+1
@same:  ldy     #0
@next:  cpy     tmp2
        beq     @rest
        lda     (edit_ptr),y
        tax
        lda     codes,x
        sta     (scr),y
        iny
        bne     @next           ; always
@rest:  ldx     row_x           ; a break of the user's looks like one
        lda     row_cols - ROW_EDIT,x
        cmp     #NO_ROW
        beq     @pad
        lda     row_last - ROW_EDIT,x
        bmi     @pad
        lda     (edit_ptr),y
        cmp     #KEY_NEWLINE
        bne     @pad
        lda     #CH_BREAK
        sta     (scr),y
        iny
; And blanks over what was longer; the cursor stood there too.
@pad:   tya
        cmp     row_shown - ROW_EDIT,x
        bcs     @done
        lda     #CH_BLANK
        sta     (scr),y
        iny
        bne     @pad            ; always
@done:  ldy     tmp2
        iny
        cpy     #LINE_COLS - 2
        bcc     @shown
        ldy     #LINE_COLS - 2
@shown: tya
        sta     row_shown - ROW_EDIT,x
        rts

; Forgets what is in the rows. Clobbers A, X.
rows_forget:
        lda     #0
        sta     keys_shown
        ldx     #EDIT_ROWS - 1
@row:   lda     #INK_UNKNOWN
        sta     row_ink,x
        lda     #LINE_COLS - 2
        sta     row_shown,x
        dex
        bpl     @row
        rts
