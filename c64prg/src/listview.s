; What the list views have in common: asking, keys, drawing.
.include "p64.inc"

LIST_FROM = ROW_WIN + 2
LIST_ROWS = ROW_STATUS - LIST_FROM

.code
; Is it time to ask for the view's list? Out: carry clear: yes, and it counts as
; asked; set: no. In: A = the capability that a bridge needs for it: others
; would hang up. Clobbers A.
list_serve:
        and     caps
        bne     @able
        sta     list_want
@able:
        lda     list_want
        beq     @no
        lda     link_state
        cmp     #LINK_ON
        bne     @no
        lda     control_state
        bne     @no
        sta     list_want
        jsr     list_clear
        lda     #1
        sta     list_load
        clc
        rts
@no:    sec
        rts

; Draws the list if it has changed, once for all that has come.
; Clobbers A, X, Y.
list_show:
        lda     list_new
        beq     @none
        lda     rx_ready
        beq     @none
        jmp     list_draw
@none:  rts

; Moves the choice; RUN/STOP goes back to the chat. In: A = key.
; Out: carry clear: it was such a key.
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
        jsr     screen_row
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
        cpx     #LINE_COLS      ; X: its length
        bcc     @rest
        lda     #LINE_COLS - 3
        sta     scr_x
        jsr     screen_dots
        jmp     @rest
@blank: ldx     tmp3
        lda     #ROLE_AGENT
        jsr     screen_row
        lda     list_row        ; an empty list says what it waits for
        bne     @rest
        lda     list_error      ; or why there is none, below
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
        inc     tmp3
        inc     list_row
        lda     tmp3
        cmp     #ROW_STATUS
        bcc     @row
        ldx     #LIST_FROM
        jsr     paint_window
        lda     list_count
        bne     @end
        lda     list_error
        beq     @end
        jsr     paint_forget    ; the words have colours of their own
        lda     #LIST_FROM
        sta     tmp3
        set16   ptr, error_text
        lda     #ROLE_ERROR
        jmp     paragraph
@end:   rts
