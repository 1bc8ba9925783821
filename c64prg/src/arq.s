; What the packets of the serial link say, and which goes next.
.include "p64.inc"

DATA_MAX    = 128

KIND_OPENED = 2
KIND_DATA   = 3
KIND_ACK    = 4
KIND_CLOSE  = 5
KIND_BUSY   = 6
KIND_PING   = 7
KIND_WAIT   = 9

.code
; A packet whose check is right is in in_head, X = its length with the check.
; Clobbers A, X, Y.
packet_came:
        lda     in_head
        bpl     @none           ; our own, which the line sends back
        and     #$7F
        tay
        lda     in_head+1
        cmp     nonce
        bne     @other
        lda     in_head+2
        cmp     nonce+1
        bne     @other
        lda     link_state
        cmp     #LINK_HELLO
        bcs     @ours
        cmp     #LINK_DIAL_W
        bne     @other
        cpy     #KIND_OPENED
        beq     @opened
        cpy     #KIND_BUSY
        bne     @none
@closed:
        lda     #ERR_CLOSED
        jmp     link_lost

@opened:
        lda     #0
        sta     in_number
        sta     out_number
        jsr     heard
        jmp     dial_open

@other: cpy     #KIND_DATA      ; no answer to OPENED, CLOSE, BUSY and PONG
        bcc     @none
        cpy     #KIND_ACK + 1
        bcc     @refuse
        cpy     #KIND_PING
        beq     @refuse
        cpy     #KIND_WAIT
        bne     @none
@refuse:
        mov16   other, in_head+1
        lda     #PEND_OTHER
@pend:  jmp     pend_add
@none:  rts

@ours:  jsr     heard
        lda     in_head+3
        cpy     #KIND_DATA
        beq     @data
        cpy     #KIND_CLOSE
        beq     @closed
        cpy     #KIND_PING
        beq     @ping
        cmp     out_number      ; ACK and WAIT: of what is outstanding?
        bne     @none
        lda     tx_len
        ora     tx_len+1
        beq     @none
        cpy     #KIND_ACK
        beq     @ack
        cpy     #KIND_WAIT
        bne     @none
        after   data_due, SECOND
        rts
@ack:   inc     out_number
        mov16   data_due, time
        jsr     data_size
        sta     uci_count
        lda     #0
        sta     uci_count+1
        sta     uci_code
        jmp     tx_written
@ping:  lda     #PEND_PONG
        bne     @pend           ; always

@data:  sec
        sbc     in_number
        beq     @new
        bpl     @empty          ; the one before it is missing
        bmi     @again          ; delivered before: its ACK got lost
@new:   txa
        sbc     #7              ; head, check and one; carry is set
        bcc     @empty
        adc     rx_fill         ; and the one again: carry is set
        sta     rx_fill
        bcc     @same
        inc     rx_fill+1
@same:  lda     #0
        sta     rx_ready
        inc     in_number
@again: lda     #PEND_ACK
        jmp     pend_add
@empty: rts

; Bytes of the DATA at tx_off. Out: A. Clobbers X.
data_size:
        sec
        lda     tx_len
        sbc     tx_off
        tax
        lda     tx_len+1
        sbc     tx_off+1
        bne     @full
        cpx     #DATA_MAX
        txa
        bcc     @end
@full:  lda     #DATA_MAX
@end:   rts

; In: A = PEND_... Clobbers A.
pend_add:
        ora     pend
        sta     pend
        rts

; Chooses the next packet. Out: carry clear: it is in out_head, out_ptr and
; out_len; set: there is none. Clobbers A, X, Y.
packet_pick:
        lda     pend
        beq     @data
        ldx     #$FF
@find:  inx
        lsr
        bcc     @find
        lda     pend            ; without its lowest bit
        sbc     #1              ; carry is set
        and     pend
        sta     pend
        lda     in_number
        sbc     #1              ; carry is set: pend was not 0
        tay
        lda     pend_kinds,x
        sta     out_head
        lda     pend_lengths,x
        sta     out_len
        sty     out_head+3
        txa
        bne     @ours
        mov16   out_head+1, other
        clc
        rts
@data:  lda     link_state
        cmp     #LINK_HELLO
        bcc     @none
        lda     tx_len
        ora     tx_len+1
        beq     @none
        passed  data_due
        bcc     @none
        lda     tx_off
        clc
        adc     #<(TX_BUF - 4)
        sta     out_ptr
        lda     tx_off+1
        adc     #>(TX_BUF - 4)
        sta     out_ptr+1
        jsr     data_size
        clc
        adc     #4
        sta     out_len
        lda     #KIND_DATA
        sta     out_head
        lda     out_number
        sta     out_head+3
@ours:  mov16   out_head+1, nonce
        clc
        rts
@none:  sec
        rts

; A packet is sent: from here the answer to a DATA is awaited. Clobbers A, X.
packet_gone:
        lda     out_head
        cmp     #KIND_DATA
        bne     @done
        ldx     baud
        lda     time
        clc
        adc     resend,x
        sta     data_due
        lda     time+1
        adc     #0
        sta     data_due+1
@done:  rts

.rodata
; By PEND_...: CLOSE, CLOSE, OPEN, ACK, PONG, PING.
pend_kinds:     .byte 5, 5, 1, 4, 8, 7
pend_lengths:   .byte 3, 3, 4, 4, 3, 3
; 300 ms and two full packets on the wire, in ticks.
resend:         .byte 19, 23, 30, 44, 73, 18, 17
        .assert * - resend = BAUDS, error, "a time for each speed"
