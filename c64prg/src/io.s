; Bytes to and from the socket: the frame that is written, the frames that are
; read.
.include "p64.inc"

SLOW_READ = SECOND              ; a READ without data that takes longer: 4 s firmware

.zeropage
tx_len:         .res 2          ; bytes of the frame in TX_BUF, 0: none
tx_off:         .res 2          ; of which are written
tx_kind:        .res 1          ; SEND_...
rx_fill:        .res 2          ; end of what has come, from RX_BUF
rx_pos:         .res 2          ; end of what is applied
rx_ready:       .res 1          ; 1: no whole frame waits, the rest is at RX_BUF
slow_quiet:     .res 1          ; 1: nothing but acknowledgements comes

.bss
slow_read:      .res 1          ; 1: an empty READ takes seconds here

.code
rx_clear:
        lda     #0
        sta     rx_fill
        sta     rx_fill+1
        sta     rx_pos
        sta     rx_pos+1
        lda     #1
        sta     rx_ready
        rts

tx_clear:
        lda     #0
        sta     tx_len
        sta     tx_len+1
        sta     slow_quiet
        rts

; Writes what is left of the frame in TX_BUF. Clobbers A, X, Y.
tx_write:
        lda     #NET_WRITE
        ldx     #WAIT_LONG
        jsr     uci_begin
        lda     socket
        jsr     uci_put
        lda     tx_off
        clc
        adc     #<TX_BUF
        sta     uci_ptr
        lda     tx_off+1
        adc     #>TX_BUF
        sta     uci_ptr+1
        lda     tx_len+1
        sta     tmp
        lda     tx_len
        sec
        sbc     tx_off
        pha
        lda     tmp
        sbc     tx_off+1
        tax
        pla
        jsr     uci_block
        jmp     uci_push

; A WRITE has ended. The firmware may take less than it was given.
; Clobbers A, X, Y.
tx_written:
        lda     uci_code
        bne     @dead
        lda     uci_count+1
        cmp     #>(TX_SIZE + 1)
        bcs     @dead           ; -1
        lda     tx_off
        clc
        adc     uci_count
        sta     tx_off
        lda     tx_off+1
        adc     uci_count+1
        sta     tx_off+1
        lda     tx_off
        cmp     tx_len
        lda     tx_off+1
        sbc     tx_len+1
        bcc     @rest
        lda     #0
        sta     tx_len
        sta     tx_len+1
        jmp     sent
@rest:  rts
@dead:  lda     #ERR_LINE
        jmp     link_lost

; A READ may only be taken over once the frames of the one before are applied.
; Clobbers A.
rx_hold:
        lda     rx_ready
        eor     #1
        sta     uci_hold
        bne     @full
        lda     rx_fill
        clc
        adc     #<RX_BUF
        sta     uci_ptr
        lda     rx_fill+1
        adc     #>RX_BUF
        sta     uci_ptr+1
@full:  rts

; Asks for what has come. Clobbers A, X.
rx_read:
        lda     slow_read
        beq     @ask
        jsr     slow_wait
        bcs     @wait
@ask:   lda     #NET_READ
        ldx     #WAIT_LONG
        jsr     uci_begin
        lda     socket
        jsr     uci_put
        lda     #<READ_MAX
        jsr     uci_put
        lda     #>READ_MAX
        jsr     uci_put
        jmp     uci_push
@wait:  rts

; On firmware whose empty READ takes 4 s one is pushed only when it will return
; at once: where an answer is on its way, or while text flows. All that has come
; is looked at before, for it may want an answer sent. Out: carry set: wait.
; Clobbers A.
slow_wait:
        lda     rx_ready
        beq     @wait
        lda     link_state
        cmp     #LINK_ON
        bne     @read
        lda     control_state
        ora     prompt_open
        ora     decision_open
        ora     cancel_open
        ora     release_open
        ora     beat_state
        and     #OPEN_SENT      ; CONTROL_SENT is the same
        bne     @read
        lda     ask_open
        ora     slow_quiet
        bne     @wait
        lda     turn
        bne     @read
@wait:  sec
        rts
@read:  clc
        rts
        .assert CONTROL_SENT = OPEN_SENT, error, "one bit for both"

; A READ has ended. Clobbers A, X, Y.
rx_came:
        lda     uci_code
        beq     @data
        cmp     #2
        bne     @closed
        lda     uci_number      ; exactly 11: nothing there, and alive
        cmp     #11
        bne     @dead
        lda     uci_number+1
        bne     @dead
        lda     time            ; how long did it take to say so
        sec
        sbc     uci_began
        tax
        lda     time+1
        sbc     uci_began+1
        bne     @slow
        cpx     #SLOW_READ
        bcc     @rest
@slow:  lda     #1
        sta     slow_read
        sta     slow_quiet
@rest:  rts
@closed:
        cmp     #1
        bne     @dead
        jsr     link_socket_gone
        lda     #ERR_CLOSED
        jmp     link_lost
@dead:  lda     #ERR_LINE
        jmp     link_lost
@data:  lda     uci_count
        ora     uci_count+1
        beq     @rest
        lda     uci_count+1
        cmp     #>(READ_MAX + 1) + 1
        bcs     @dead           ; more than was asked for
        lda     rx_fill
        clc
        adc     uci_count
        sta     rx_fill
        lda     rx_fill+1
        adc     uci_count+1
        sta     rx_fill+1
        lda     #0
        sta     rx_ready
        rts
