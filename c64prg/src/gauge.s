; The gauge: how full the agent's context is, where the bridge knows it. It comes
; as a row of the STATUS tab, asked for with the title and behind each turn.
.include "p64.inc"

GAUGE_COLS = 5                  ; "100%", or so many tokens

.zeropage
gauge_want:     .res 1          ; 1: ask for it when the line is free

.bss
gauge:          .res GAUGE_COLS + 1 ; a text; empty: not known

.code
; Takes the first word of the row. In: Y = where the blank before it stands in
; the frame, src_end. Clobbers A, X, Y.
gauge_word:
        ldx     #0
@next:  iny
        cpy     src_end
        bcs     @end
        lda     (rx_ptr),y
        cmp     #' '
        beq     @end
        sta     gauge,x
        inx
        cpx     #GAUGE_COLS
        bcc     @next
@end:   lda     #0
        sta     gauge,x
        jmp     status_change

; Once a frame. Clobbers A.
gauge_frame:
        lda     gauge_want
        beq     @none
        lda     caps
        and     #<CAP_DASHBOARD
        beq     @none
        lda     link_state
        cmp     #LINK_ON
        bne     @none
        lda     control_state
        bne     @none
        sta     gauge_want
        .assert TAB_STATUS = 0, error, "STATUS first"
        sta     control_arg
        lda     #FRAME_DASHBOARD_GET
        jmp     control_ask
@none:  rts

; At the right of the status line, where there is room. Clobbers A, X, Y.
gauge_draw:
        lda     gauge
        beq     @none
        lda     #LINE_COLS - 8 - GAUGE_COLS
        cmp     scr_x
        bcc     @none
        jsr     screen_pad
        ldax    msg_context
        jsr     screen_text
        ldax    gauge
        jmp     screen_text
@none:  rts
