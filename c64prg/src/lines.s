; Lines of the view that is open: a detail, a diff, a list. Each is a kind (its
; role) and up to 39 characters of text that end with 0; a longer line goes on
; in rows of the same kind. They lie one behind the other in the view buffer.
.include "p64.inc"

LINE_TEXT = LINE_COLS - 1
KIND_MARK = $40                 ; no kind is 0, which ends a row
KIND_ON   = $20                 ; the row goes on with the one before

.zeropage
lines_count:    .res 2          ; rows
lines_cut:      .res 1          ; 1: there was more than fits
lines_col:      .res 1          ; characters in the last row
lines_kind:     .res 1
lines_top:      .res 2          ; number of the first row that is shown
lines_ptr:      .res 2          ; its address
lines_left:     .res 1
lines_first:    .res 1          ; row of the screen

.code
; No lines. Clobbers A.
lines_clear:
        lda     #0
        sta     lines_count
        sta     lines_count+1
        sta     lines_cut
        sta     lines_top
        sta     lines_top+1
        sta     VIEW_BUF-1      ; lines_up finds the start by it
        set16   lines_end, VIEW_BUF
        set16   lines_ptr, VIEW_BUF
        rts

; Begins a row. In: A = kind. Clobbers A, Y; keeps X.
lines_begin:
        ora     #KIND_MARK
        sta     lines_kind
row:    lda     lines_end+1     ; a row needs 41 bytes at most
        cmp     #>(VIEW_END - 42)
        bcc     @room
        bne     full
        lda     lines_end
        cmp     #<(VIEW_END - 42)
        bcs     full
@room:  lda     lines_count
        ora     lines_count+1
        beq     @first
        lda     #0              ; ends the row before
        jsr     store
@first: inc     lines_count
        bne     @same
        inc     lines_count+1
@same:  lda     #0
        sta     lines_col
        lda     lines_kind
; In: A = byte. Clobbers Y.
store:  ldy     #0              ; 2
        sta     (lines_end),y   ; 6
        inc     lines_end       ; 5
        bne     @done           ; 3
        inc     lines_end+1
@done:  rts                     ; 6 = 22
full:   lda     #1
        sta     lines_cut
        rts

; Appends the text of the frame that is applied to the last row, and ends it for
; now. In: X = where it begins. Clobbers A, X, Y. 70 cycles a character.
lines_frame:
        lda     lines_cut       ; what does not fit is dropped
        bne     @end
@next:  cpx     src_end         ; 3
        bcs     @close          ; 2
        lda     lines_col       ; 4
        cmp     #LINE_TEXT      ; 2
        bcs     @on             ; 2
@put:   inc     lines_col       ; 6
        txa                     ; 2
        tay                     ; 2
        lda     (rx_ptr),y      ; 5
        jsr     store           ; 6 + 22
        inx                     ; 2
        bne     @next           ; 3
@on:    lda     lines_kind
        ora     #KIND_ON
        sta     lines_kind
        jsr     row
        lda     lines_cut
        beq     @put
@close: lda     #0
        tay
        sta     (lines_end),y
@end:   rts

; Draws rows. In: X = first row of the screen, A = how many.
; Clobbers A, X, Y, ptr, tmp, tmp2, tmp3.
lines_draw:
        sta     lines_left
        stx     tmp3
        stx     lines_first
        mov16   ptr, lines_ptr
@row:   lda     lines_left
        beq     @show
        dec     lines_left
        lda     ptr             ; past the last row?
        cmp     lines_end
        lda     ptr+1
        sbc     lines_end+1
        bcs     @blank
        ldy     #0
        lda     (ptr),y
        pha
        and     #<~(KIND_MARK | KIND_ON)
        pha
        ldx     tmp3
        jsr     screen_row
        pla
        tay
        pla
        and     #KIND_ON
        beq     @first
        ldy     #ROLE_AGENT     ; no mark
@first: lda     line_marks,y
        jsr     screen_put
        ldx     #1
@text:  txa
        tay
        lda     (ptr),y
        beq     @end
        jsr     screen_put
        inx
        bne     @text           ; always
@end:   inx
        txa
        clc
        adc     ptr
        sta     ptr
        bcc     @rest
        inc     ptr+1
        bcs     @rest           ; always
@blank: ldx     tmp3
        lda     #ROLE_AGENT
        jsr     screen_row
@rest:  jsr     screen_rest
        inc     tmp3
        jmp     @row
@show:  ldx     lines_first
        lda     tmp3
        jmp     paint_window

; Back to the first row. Clobbers A.
lines_home:
        lda     #0
        sta     lines_top
        sta     lines_top+1
        set16   lines_ptr, VIEW_BUF
        rts

; One row down, if there are more than are shown. In: A = rows on the screen.
; Out: carry set: that was the end. Clobbers A, Y, ptr.
lines_down:
        clc
        adc     lines_top
        tay
        lda     #0
        adc     lines_top+1
        cpy     lines_count
        sbc     lines_count+1
        bcs     @end
        mov16   ptr, lines_ptr
        ldy     #1
@find:  lda     (ptr),y
        beq     @found
        iny
        bne     @find           ; always
@found: tya
        sec                     ; past the 0
        adc     lines_ptr
        sta     lines_ptr
        bcc     @same
        inc     lines_ptr+1
@same:  inc     lines_top
        bne     @ok
        inc     lines_top+1
@ok:    clc
@end:   rts

; One row up. Out: carry set: that was the start. Clobbers A, Y, ptr.
lines_up:
        lda     lines_top
        ora     lines_top+1
        beq     @start
        lda     lines_top
        bne     @low
        dec     lines_top+1
@low:   dec     lines_top
        lda     lines_ptr       ; back over a 0, to the 0 before it
        sec
        sbc     #43
        sta     ptr
        lda     lines_ptr+1
        sbc     #0
        sta     ptr+1
        ldy     #41
@find:  lda     (ptr),y
        beq     @found
        dey
        bpl     @find
@found: iny                     ; at the buffer's start it is found too: a 0
        tya                     ; stands before it
        clc
        adc     ptr
        sta     lines_ptr
        lda     ptr+1
        adc     #0
        sta     lines_ptr+1
        clc
        rts
@start: sec
        rts

.rodata
; The first column of a row, by role.
line_marks:
        .byte   "     +-  "
        .res    ROLE_COUNT - 9, ' '
