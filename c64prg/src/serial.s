; The connection over the serial line, the C64's end of the link protocol: OPEN
; until it is answered, then numbered DATA both ways, each sent again until it is
; acknowledged. One is outstanding: it stays in TX_BUF, where its frame is.
.include "p64.inc"

LINK_VERSION = 1

.bss
nonce:          .res 2          ; of this connection
other:          .res 2          ; of a packet that was not for it
in_number:      .res 1          ; of the next DATA
out_number:     .res 1          ; of the DATA that goes
pend:           .res 1          ; PEND_...
data_due:       .res 2          ; when DATA is sent, again or at all
serial_next:    .res 2          ; the next OPEN, or PING
serial_until:   .res 2          ; when the line counts as dead

.code
; One pass of the link over the serial line. Clobbers A, X, Y.
serial_poll:
        lda     nmi_entry
        and     #$08            ; RTI: the chip is not in use
        beq     @none
        jsr     ser_take
        jsr     link_timers
        ldx     link_state
        cpx     #LINK_HELLO
        bcs     @opened
        cpx     #LINK_DIAL_W
        beq     @asks
        cpx     #LINK_DIAL
        beq     @dial
        cpx     #LINK_WAIT
        bne     @send
        jsr     step_wait
@send:  jmp     packet_send
@opened:
        jmp     @open
@none:  rts

@dial:  lda     $DC04           ; BASIC's timer runs; it differs from the last,
        cmp     socket          ; also from the one before a reset
        bne     @nonce
        adc     #0              ; carry is set
@nonce: sta     socket
        sta     nonce
        lda     $DC05
        eor     frame_count
        sta     nonce+1
        mov16   serial_next, time
        after   serial_until, SECONDS(5)
        lda     #LINK_VERSION + 1 ; an OPEN has the version where ACK has what came
        sta     in_number
        lda     #LINK_DIAL_W
        sta     link_state
        jsr     link_changed
@asks:  passed  serial_until
        bcc     @ask
        ldx     link_error      ; it goes on asking, but says what is wrong
        bne     @ask
        lda     #ERR_SERIAL
        sta     link_error
        jsr     link_changed
@ask:   passed  serial_next
        bcc     @send
        after   serial_next, SECOND
        lda     #PEND_OPEN
        bne     @pend           ; always

@open:  passed  serial_until
        bcc     @lives
        lda     #ERR_LINE
        jsr     link_lost
        jmp     packet_send
@lives: passed  serial_next
        bcc     @data
        after   serial_next, MS(2500)
        lda     #PEND_PING
@pend:  jsr     pend_add
@data:  lda     link_state
        cmp     #LINK_HELLO
        bcc     @go
        lda     tx_len
        ora     tx_len+1
        bne     @go
        jsr     send_pick
        bcs     @go
        mov16   data_due, time
@go:    jmp     packet_send

; The connection ends: the bridge is told once, and nothing else any more.
; Clobbers X.
pend_close:
        ldx     #PEND_CLOSE
        stx     pend
        rts

; A packet of the connection came: it lives. Clobbers A.
heard:  after   serial_until, SECONDS(15)
        after   serial_next, SECONDS(5)
        rts
