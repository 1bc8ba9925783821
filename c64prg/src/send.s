; What goes out next. One frame is built at a time, in TX_BUF; the order here is
; the order of importance.
.include "p64.inc"

.code
; Chooses what to send. Out: carry clear: a frame is in TX_BUF; set: nothing.
; Clobbers A, X, Y.
send_pick:
        lda     link_state
        cmp     #LINK_ON
        beq     @on
        cmp     #LINK_SETUP
        beq     @setup
        cmp     #LINK_HISTORY
        beq     @history
        cmp     #LINK_HELLO
        beq     @hello
        cmp     #LINK_PAIR
        beq     @pair
        cmp     #LINK_LEASE
        beq     @lease
        sec
        rts
@setup: jmp     setup_pick
@history:
        jmp     history_pick
@hello: lda     #LINK_HELLO_W
        sta     link_state
        jmp     send_hello
@pair:  lda     #LINK_PAIR_W
        sta     link_state
        jmp     send_pair
@lease: jsr     shake_on
        lda     have_lease
        bne     @again
        lda     #LINK_LEASE_W
        sta     link_state
        lda     #FRAME_LEASE_GET
        jmp     send_empty
@again: lda     #LINK_REPLAY
        sta     link_state
        jmp     send_reconnect

@on:    lda     release_open
        cmp     #OPEN_WANT
        beq     @release
        lda     cancel_open
        cmp     #OPEN_WANT
        beq     @cancel
        lda     decision_open
        cmp     #OPEN_WANT
        beq     @decision
        lda     prompt_open
        cmp     #OPEN_WANT
        beq     @prompt
        lda     control_state
        cmp     #CONTROL_WANT
        beq     @control
        lda     beat_state
        cmp     #OPEN_WANT
        beq     @beat
        sec
        rts

; The fate of what is written is unknown from here on: it counts as sent before
; the first byte goes.
@release:
        lda     #OPEN_SENT
        sta     release_open
        lda     #FRAME_SESSION_RELEASE
        ldx     #SEND_RELEASE
        jmp     send_kind
@cancel:
        lda     #OPEN_SENT
        sta     cancel_open
        lda     #FRAME_TURN_CANCEL
        ldx     #SEND_CANCEL
        jmp     send_kind
@decision:
        lda     #OPEN_SENT
        sta     decision_open
        jmp     send_decision
@prompt:
        lda     #OPEN_SENT
        sta     prompt_open
        jmp     send_prompt
@control:
        lda     #CONTROL_SENT
        sta     control_state
        jmp     control_send
@beat:  lda     #FRAME_HEARTBEAT
        ldx     #SEND_BEAT
        jmp     send_kind

; The frame in TX_BUF is written. Clobbers A, X.
sent:   lda     tx_kind
        cmp     #SEND_BEAT
        bne     @done
        jmp     beat_sent
@done:  rts
