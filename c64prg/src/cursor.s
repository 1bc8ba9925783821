; The cursor among the editor's rows, and the rows above the first that shows.
.include "p64.inc"

.code
; The row before edit_top becomes the first. Clobbers A, X, Y, ptr.
top_up: lda     edit_top        ; back to the start of its paragraph
        clc
        adc     #<(EDIT_RAM - 1)
        sta     ptr
        lda     edit_top+1
        adc     #>(EDIT_RAM - 1)
        sta     ptr+1
@back:  lda     ptr             ; ptr: the break or blank that ends the row
        cmp     #<EDIT_RAM
        bne     @look
        lda     ptr+1
        cmp     #>EDIT_RAM
        beq     @start
@look:  lda     ptr
        bne     @low
        dec     ptr+1
@low:   dec     ptr
        ldy     #0
        lda     (ptr),y
        cmp     #KEY_NEWLINE
        bne     @back
        inc     ptr
        bne     @start
        inc     ptr+1
@start: lda     ptr
        sec
        sbc     #<EDIT_RAM
        sta     row_from
        lda     ptr+1
        sbc     #>EDIT_RAM
        sta     row_from+1
@next:  jsr     row_find        ; on to the row that ends where edit_top begins
        lda     row_next
        cmp     edit_top
        lda     row_next+1
        sbc     edit_top+1
        bcs     @have
        mov16   row_from, row_next
        jmp     @next
@have:  mov16   edit_top, row_from
        rts

; The cursor one row up. Out: carry set: it is in the first. Clobbers A, X, Y.
layout_up:
        jsr     layout
        ldx     cursor_row
        bne     @here
        lda     edit_top
        ora     edit_top+1
        beq     @first
        lda     cursor_col
        pha
        jsr     top_up
        jsr     layout
        pla
        sta     cursor_col
        ldx     #1
@here:  dex
        jmp     to_row
@first: sec
        rts

; The cursor one row down. Out: carry set: it is in the last.
; Clobbers A, X, Y.
layout_down:
        jsr     layout
        ldx     cursor_row
        lda     row_last,x
        bmi     @last
        cpx     #EDIT_ROWS - 1
        bcc     @here
        lda     start_low+1
        sta     edit_top
        lda     start_high+1
        sta     edit_top+1
        lda     cursor_col
        pha
        jsr     layout
        pla
        sta     cursor_col
        ldx     #EDIT_ROWS - 2
@here:  inx
        jmp     to_row
@last:  sec
        rts

; Puts the cursor into a visible row, as near to its column as there is text.
; In: X = row, cursor_col. Out: carry clear. Clobbers A, Y.
to_row: ldy     row_cols,x
        lda     row_last,x
        bmi     @end
        cpy     #0
        beq     @end
        lda     start_low,x     ; a wrapped row ends before its last character,
        clc                     ; where the next row begins
        adc     row_cols,x
        cmp     start_low+1,x
        bne     @end
        dey
@end:   cpy     cursor_col
        bcc     @col
        ldy     cursor_col
@col:   tya
        clc
        adc     start_low,x
        sta     edit_cur
        lda     start_high,x
        adc     #0
        sta     edit_cur+1
        clc
        rts
