; The transcript: a ring of 204 lines of screen codes, a role for each.
.include "p64.inc"

.zeropage
ring_tail:      .res 1          ; index of the last line
ring_count:     .res 1          ; lines that are in use, at least 1
ring_back:      .res 1          ; lines that the view is scrolled back
block_role:     .res 1          ; role of the lines that are appended

.bss
; Behind the lines of the ring stand the rows of the window, which the views
; write there before they are shown.
ring_role:      .res RING_LINES + WIN_ROWS
line_low:       .res RING_LINES + WIN_ROWS
line_high:      .res RING_LINES + WIN_ROWS
window:         .res WIN_ROWS * LINE_COLS

.code
; An empty transcript: one empty line. Clobbers A, X, Y.
ring_init:
        set16   ptr, RING
        ldx     #0
@line:  lda     ptr
        sta     line_low,x
        clc
        adc     #LINE_COLS
        sta     ptr
        lda     ptr+1
        sta     line_high,x
        adc     #0
        sta     ptr+1
        inx
        cpx     #RING_LINES
        bcc     @line
        bne     @window
        set16   ptr, window
@window:
        cpx     #RING_LINES + WIN_ROWS
        bcc     @line
        lda     #RING_LINES - 1
        sta     ring_tail
        lda     #0
        sta     ring_count
        sta     ring_back
        ; falls through

; Appends an empty line of block_role. A view that is scrolled back stays where
; it is. Clobbers A, Y; keeps X. About 500 cycles.
ring_line:
        ldy     ring_tail
        iny
        cpy     #RING_LINES
        bcc     @in
        ldy     #0
@in:    sty     ring_tail
        lda     line_low,y
        sta     line_ptr
        lda     line_high,y
        sta     line_ptr+1
        lda     block_role
        sta     ring_role,y
        lda     #CH_BLANK
        ldy     #LINE_COLS - 1
@blank: sta     (line_ptr),y    ; 6
        dey                     ; 2
        sta     (line_ptr),y    ; 6
        dey                     ; 2
        bpl     @blank          ; 3 = 9.5 a column
        iny
        sty     line_col
        lda     ring_count
        cmp     #RING_LINES
        bcs     @full
        inc     ring_count
@full:  lda     ring_back
        beq     @follow
        clc
        adc     #WIN_ROWS
        cmp     ring_count      ; its lines are about to be overwritten
        bcs     @follow
        inc     ring_back
@follow:
        lda     ring_tail       ; the line may have been an activity's
        ldy     #NO_LINE
        .repeat SLOTS, i
        cmp     slot_line+i
        bne     :+
        sty     slot_line+i
:
        .endrepeat
        lda     #PAINT_ALL
        sta     paint_want
        rts

; The index of a line. In: A = lines before the last. Out: X. Clobbers A.
ring_index:
        eor     #$FF
        sec
        adc     ring_tail       ; tail - A
        bcs     @in
        adc     #RING_LINES     ; carry clear: below 0
@in:    tax
        rts
