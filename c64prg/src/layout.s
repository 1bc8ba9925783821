; The editor's three rows. Words wrap; a row is found from the start of the one
; before it, so a key costs three rows, wherever in the text it is.
.include "p64.inc"

EDIT_COLS = 37                  ; the cursor needs the column behind the text

.zeropage
edit_top:       .res 2          ; where the first visible row begins
edit_new:       .res 1          ; 1: draw it again
cursor_row:     .res 1
cursor_col:     .res 1
row_from:       .res 2          ; row_find: in and out
row_next:       .res 2

.bss
start_low:      .res EDIT_ROWS + 1
start_high:     .res EDIT_ROWS + 1
row_cols:       .res EDIT_ROWS + 1
row_last:       .res EDIT_ROWS + 1 ; $80: the text ends in this row
row_cut:        .res 1

.code
; The text or the cursor has changed. Clobbers A.
edit_change:
        lda     #1
        sta     edit_new
        rts

; Finds one row. In: row_from. Out: A = its characters, row_next, carry set: the
; text ends in it. Clobbers X, Y, edit_ptr. 27 cycles a character.
row_find:
        lda     row_from
        clc
        adc     #<EDIT_RAM
        sta     edit_ptr
        lda     row_from+1
        adc     #>EDIT_RAM
        sta     edit_ptr+1
        lda     edit_len        ; what is left, 38 at most
        sec
        sbc     row_from
        tax
        lda     edit_len+1
        sbc     row_from+1
        bne     @long
        cpx     #EDIT_COLS + 1
        bcc     @left
@long:  ldx     #EDIT_COLS + 1
@left:  stx     row_cut
        ldy     #0
@next:  cpy     row_cut         ; 4
        beq     @end            ; 2
        lda     (edit_ptr),y    ; 5
        cmp     #KEY_NEWLINE    ; 2
        beq     @break          ; 2
        iny                     ; 2
        bne     @next           ; 3 = 20
@end:   cpy     #EDIT_COLS + 1
        bcc     @last
        ldy     #EDIT_COLS - 1  ; too long: back to a blank
@blank: lda     (edit_ptr),y
        cmp     #' '
        beq     @word
        dey
        bne     @blank
        ldy     #EDIT_COLS - 1  ; no blank: it breaks in the word
@word:  iny
        tya
        ldx     #0
        jsr     @set
        clc
        rts
@break: tya
        ldx     #1              ; past the break
        jsr     @set
        clc
        rts
@last:  tya
        ldx     #0
        jsr     @set
        sec
        rts
@set:   pha
        stx     row_next
        clc
        adc     row_next
        clc
        adc     row_from
        sta     row_next
        lda     row_from+1
        adc     #0
        sta     row_next+1
        pla
        rts

; Lays the visible rows out from edit_top, and finds the cursor; moves edit_top
; until the cursor is visible. Clobbers A, X, Y.
layout: lda     edit_cur        ; above the first row?
        cmp     edit_top
        lda     edit_cur+1
        sbc     edit_top+1
        bcs     @below
        jsr     top_up
        jmp     layout
@below: mov16   row_from, edit_top
        ldx     #0
@row:   jsr     layout_row
        bcs     @found
        inx
        cpx     #EDIT_ROWS
        bcc     @row
@down:  ldx     #0              ; below the last: one row up
@shift: lda     start_low+1,x
        sta     start_low,x
        lda     start_high+1,x
        sta     start_high,x
        lda     row_cols+1,x
        sta     row_cols,x
        lda     row_last+1,x
        sta     row_last,x
        inx
        cpx     #EDIT_ROWS - 1
        bcc     @shift
        lda     start_low
        sta     edit_top
        lda     start_high
        sta     edit_top+1
        jsr     layout_row
        bcc     @down
@found: stx     cursor_row      ; the rows below it
        lda     row_last,x
@more:  bmi     @ends
        inx
        cpx     #EDIT_ROWS
        bcs     @done
        jsr     layout_row
        lda     row_last,x
        jmp     @more
@ends:  inx
        cpx     #EDIT_ROWS
        bcs     @done
        lda     #NO_ROW
        sta     row_cols,x
        bne     @ends           ; always
@done:  lda     row_from        ; where the row below them would begin
        sta     start_low+EDIT_ROWS
        rts

; Finds row X at row_from. Out: carry set: the cursor is in it, cursor_col.
; row_from goes on to the next. Keeps X. Clobbers A, Y.
layout_row:
        txa
        pha
        jsr     row_find
        tay
        pla
        tax
        tya
        sta     row_cols,x
        lda     #0
        ror
        sta     row_last,x
        lda     row_from
        sta     start_low,x
        lda     row_from+1
        sta     start_high,x
        lda     row_last,x
        bmi     @here           ; the cursor is in it, or above
        lda     edit_cur
        cmp     row_next
        lda     edit_cur+1
        sbc     row_next+1
        bcs     @below
@here:  lda     edit_cur
        sec
        sbc     row_from
        tay
        lda     edit_cur+1
        sbc     row_from+1
        bne     @above          ; above this row: found before
        sty     cursor_col
        jsr     @on
        sec
        rts
@above:
@below: jsr     @on
        clc
        rts
@on:    mov16   row_from, row_next
        rts
