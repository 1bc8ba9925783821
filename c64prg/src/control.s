; Control requests, one open at a time, and their replies.
.include "p64.inc"

.bss
control_state:  .res 1          ; CONTROL_...
control_type:   .res 1          ; the request's frame type

.code
; Wants a request sent. Only while control_state is CONTROL_NONE.
; In: A = frame type. Clobbers A.
control_ask:
        sta     control_type
        lda     #CONTROL_WANT
        sta     control_state
        rts

; Builds the request that is wanted. Out: carry clear. Clobbers A, X, Y.
control_send:
        lda     control_type
        cmp     #FRAME_APPROVAL_DETAIL_GET
        beq     @detail
        jmp     send_empty
@detail:
        lda     ask_seq
        sta     TX_BUF + HEADER_SIZE
        lda     ask_seq+1
        sta     TX_BUF + HEADER_SIZE + 1
        lda     #FRAME_APPROVAL_DETAIL_GET
        ldx     #SEND_OTHER
        ldy     #2
        jmp     send_frame

; The request has been answered. Clobbers A.
control_done:
        lda     #CONTROL_NONE
        sta     control_state
        rts

; The line is cut: nothing will be answered. Clobbers A.
control_lost:
        jsr     control_done
        jmp     approve_lost

got_settings:
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        sta     reasoning
        iny
        lda     (rx_ptr),y
        sta     display
        jmp     control_done

got_access:
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        sta     access
        ; falls through
got_workspace:
got_dashboard_done:
        jmp     control_done

; DashboardEntry: tab, row, "LABEL: value". Two rows of STATUS are the title
; bar's.
got_dashboard:
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        cmp     #TAB_STATUS
        bne     @none
        iny
        lda     (rx_ptr),y
        cmp     #2
        bcs     @none
        tax                     ; 0 provider, 1 workspace
        lda     rx_len
        clc
        adc     #HEADER_SIZE
        sta     src_end
@label: iny
        cpy     src_end
        bcs     @none
        lda     (rx_ptr),y
        cmp     #':'
        bne     @label
        iny
        jmp     title_word
@none:  rts
