; Lists of the full-window views: rows of one length in the view buffer, one of
; them chosen. A row is an index, a role and a text that ends with 0: all of it,
; for a folder's name must be sent as it was listed.
.include "p64.inc"

ROW_SIZE  = 96
LIST_TEXT = ROW_SIZE - 3
LIST_MAX  = 140
        .assert LIST_MAX * ROW_SIZE <= VIEW_END - VIEW_BUF, error, "lists too long"
        .assert LIST_MAX > MAX_ROWS + 3, error, "room for every row"

.zeropage
list_count:     .res 1
list_top:       .res 1          ; first row on the screen
list_sel:       .res 1          ; the chosen one
list_want:      .res 1          ; 1: ask for it when the line is free
list_load:      .res 1          ; 1: asked, the rows are coming
list_new:       .res 1          ; 1: draw it again
list_error:     .res 1          ; not 0: error_text stands in its place
list_ptr:       .res 2          ; the row that is filled
list_len:       .res 1          ; its characters
list_row:       .res 1

.code
; Empties the list; the choice stays. Clobbers A.
list_clear:
        lda     #0
        sta     list_count
        sta     list_top
        lda     #1
        sta     list_new
        rts

; Wants the open view's list. Clobbers A.
list_ask:
        lda     #0
        sta     list_error
        lda     #1
        sta     list_want
        jmp     list_clear

; The line was cut: it is asked for again. Clobbers A.
list_lost:
        lda     list_load
        beq     @none
        lda     #0
        sta     list_load
        jmp     list_ask
@none:  rts

; The rows are complete. Clobbers A.
list_done:
        lda     list_load
        beq     @in             ; another view's
        lda     #0
        sta     list_load
        lda     #1
        sta     list_new
        lda     list_sel        ; the choice may be past the end now
        cmp     list_count
        bcc     @in
        lda     list_count
        beq     @none
        sbc     #1              ; carry is set
@none:  sta     list_sel
@in:    rts

; Begins a row. In: A = index, X = role. Clobbers A, X, Y, ptr2.
list_begin:
        pha
        lda     list_count
        cmp     #LIST_MAX
        bcs     @full
        jsr     list_address
        mov16   list_ptr, ptr2
        inc     list_count
        pla
        ldy     #0
        sta     (ptr2),y
        iny
        txa
        sta     (ptr2),y
        iny
        lda     #0
        sta     (ptr2),y
        sta     list_len
        sta     list_new
        inc     list_new
        rts
@full:  pla
        lda     #LIST_TEXT      ; what is put now is dropped
        sta     list_len
        rts

; Appends a character to the row. In: A = text byte. Clobbers A, Y, ptr2; keeps
; X.
list_put:
        ldy     list_len
        cpy     #LIST_TEXT
        bcs     @full
        pha
        mov16   ptr2, list_ptr
        ldy     list_len
        iny
        iny
        pla
        sta     (ptr2),y
        iny
        lda     #0
        sta     (ptr2),y
        inc     list_len
@full:  rts

; Appends a text that ends with 0. In: A/X = text. Clobbers A, X, Y, ptr, ptr2.
list_text:
        sta     ptr
        stx     ptr+1
        ldx     #0
@next:  txa
        tay
        lda     (ptr),y
        beq     @end
        jsr     list_put
        inx
        bne     @next           ; always
@end:   rts

; Appends the rest of the frame that is applied. In: X = where it begins.
; Clobbers A, X, Y, ptr2.
list_frame:
@next:  cpx     src_end
        bcs     @end
        txa
        tay
        lda     (rx_ptr),y
        jsr     list_put
        inx
        bne     @next           ; always
@end:   rts

; In: A = row. Out: ptr2 = its address. Clobbers A, tmp2; keeps X, Y.
list_address:
        sta     tmp2
        asl
        sta     ptr2
        lda     #0
        rol
        sta     ptr2+1
        lda     tmp2
        clc
        adc     ptr2
        sta     ptr2
        bcc     @times
        inc     ptr2+1
@times: .repeat 5               ; 96 is 3 * 32
        asl     ptr2
        rol     ptr2+1
        .endrepeat
        lda     ptr2
        clc
        adc     #<VIEW_BUF
        sta     ptr2
        lda     ptr2+1
        adc     #>VIEW_BUF
        sta     ptr2+1
        rts

; The chosen row. Out: A = its index, carry clear; set: there is none.
; Clobbers Y, ptr2.
list_chosen:
        lda     list_count
        beq     @none
        lda     list_sel
        jsr     list_address
        ldy     #0
        lda     (ptr2),y
        clc
        rts
@none:  sec
        rts
