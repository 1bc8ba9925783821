; Lists of the full-window views: rows of one length in the view buffer, one of
; them chosen. A row is an index, a role and a text that ends with 0: all of it,
; for a folder's name must be sent as it was listed.
.include "p64.inc"

ROW_SIZE  = 96
LIST_TEXT = ROW_SIZE - 3
LIST_MAX  = 140
LIST_FROM = ROW_WIN + 2
LIST_ROWS = ROW_STATUS - LIST_FROM
        .assert LIST_MAX * ROW_SIZE <= VIEW_END - VIEW_BUF, error, "lists too long"
        .assert LIST_MAX > MAX_ROWS + 3, error, "room for every row"

.bss
list_count:     .res 1
list_top:       .res 1          ; first row on the screen
list_sel:       .res 1          ; the chosen one
list_want:      .res 1          ; 1: ask for it when the line is free
list_load:      .res 1          ; 1: asked, the rows are coming
list_new:       .res 1          ; 1: draw it again
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
        lda     rx_len
        clc
        adc     #HEADER_SIZE
        sta     src_end
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

; The chosen row. Out: A = its index, carry clear; set: there is none, or it is
; an error's words.
; Clobbers Y, ptr2.
list_chosen:
        lda     list_count
        beq     @none
        lda     list_sel
        jsr     list_address
        ldy     #1
        lda     (ptr2),y
        cmp     #ROLE_ERROR
        beq     @none
        dey
        lda     (ptr2),y
        clc
        rts
@none:  sec
        rts

; Moves the choice; RUN/STOP goes back to the chat. In: A = key. Out: carry clear: it was such a key.
; Clobbers A, X, Y.
list_key:
        cmp     #KEY_DOWN
        beq     @down
        cmp     #KEY_UP
        beq     @up
        cmp     #KEY_F8
        beq     @page
        cmp     #KEY_F7
        beq     @back
        cmp     #KEY_HOME
        beq     @home
        cmp     #KEY_STOP
        bne     @other
        lda     #VIEW_CHAT
        jmp     view_open
@other: sec
        rts
@down:  ldx     #1
        .byte   $2C             ; BIT abs: skips the next
@page:  ldx     #LIST_ROWS - 1
        txa
        clc
        adc     list_sel
        cmp     list_count
        bcc     @set
        lda     list_count
        beq     @set
        sbc     #1              ; carry is set
        jmp     @set
@up:    ldx     #1
        .byte   $2C
@back:  ldx     #LIST_ROWS - 1
        stx     tmp
        lda     list_sel
        sec
        sbc     tmp
        bcs     @set
@home:  lda     #0
@set:   sta     list_sel
        lda     #1
        sta     list_new
        clc
        rts

; Draws the rows, so that the chosen one is among them. Clobbers A, X, Y.
list_draw:
        lda     #0
        sta     list_new
        lda     list_sel
        cmp     list_top
        bcc     @top
        sbc     #LIST_ROWS - 1  ; carry is set
        bcc     @fits
        cmp     list_top
        bcc     @fits
@top:   sta     list_top
@fits:  lda     list_top
        sta     list_row
        lda     #LIST_FROM
        sta     tmp3
@row:   lda     list_row
        cmp     list_count
        bcs     @blank
        jsr     list_address
        mov16   ptr, ptr2
        lda     #2
        clc
        adc     ptr
        sta     ptr
        bcc     @role
        inc     ptr+1
@role:  ldy     #1
        lda     (ptr2),y
        ldx     tmp3
        ldy     #0
        jsr     screen_at
        lda     list_row
        cmp     list_sel
        bne     @plain
        lda     #$80
        sta     reverse
@plain: lda     #' '
        jsr     screen_put
        lda     ptr
        ldx     ptr+1
        jsr     screen_text
        jmp     @rest
@blank: ldx     tmp3
        ldy     #0
        lda     #ROLE_AGENT
        jsr     screen_at
        lda     list_row        ; an empty list says what it waits for
        bne     @rest
        lda     list_want
        ora     list_load
        bne     @asking
        ldax    msg_nothing
        jmp     @say
@asking:
        ldax    msg_asking
@say:   jsr     screen_text
@rest:  jsr     screen_rest
        inc     list_row
        inc     tmp3
        lda     tmp3
        cmp     #ROW_STATUS
        bcc     @row
        rts
