; What the list views have in common once a frame.
.include "p64.inc"

.code
; Is it time to ask for the view's list? Out: carry clear: yes, and it counts as
; asked; set: no. Clobbers A.
list_serve:
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
