; The link: from no connection to a lease on line, and back. It is a state
; machine; each step starts one UCI command and goes on when that has ended.
; dial.s has the steps up to the open socket, shake.s those of the greeting.
.include "p64.inc"

.zeropage
link_state:     .res 1          ; LINK_...
link_error:     .res 1          ; why the last connection ended, ERR_...
link_after:     .res 1          ; state once the socket is closed
retry_at:       .res 2          ; when the next try begins
step_began:     .res 2          ; when this connection was begun
shake_until:    .res 2          ; deadline of the greeting
last_in:        .res 2          ; when a frame last came in
link_vec:       .res 2

.code
link_init:
        lda     #LINK_OFF
        sta     link_state
        rts

; Begins to connect, from the interface's state on. Clobbers A, X, Y.
link_start:
        mov16   step_began, time
        lda     #ERR_NONE
        sta     link_error
        lda     link_way
        bne     @serial
        jsr     uci_find
        bcs     link_refuse
        lda     uci_state       ; an open that still runs may bring a socket: it
        cmp     #UCI_RUNNING    ; is not thrown away, it is waited for
        beq     @wait
        jsr     uci_abort
@wait:  lda     #LINK_RESET
@set:   sta     link_state
        jmp     link_changed
@serial:
        jsr     acia_open
        lda     #LINK_DIAL
        bcc     @set
        lda     #ERR_NO_ACIA
        ; falls through

; Ends in words, with nothing open. In: A = error. Clobbers A, X, Y.
link_refuse:
        sta     link_error
        lda     #LINK_HELD
        sta     link_state
        jmp     link_changed

; Leaves the bridge without another try. Clobbers A, X, Y.
link_stop:
        lda     #ERR_NONE
        sta     link_error
        lda     #LINK_OFF
        beq     link_close      ; always

; The connection is of no use any more. In: A = error. Clobbers A, X, Y.
link_lost:
        sta     link_error
        tax
        lda     retries,x
        beq     @hold
        after   retry_at, SECONDS(5)
        lda     link_state      ; a line that worked is dialled again at once
        cmp     #LINK_ON
        bne     @later
        mov16   retry_at, time
@later: lda     #LINK_WAIT
        bne     link_close      ; always
@hold:  lda     #LINK_HELD

; Closes the socket, if there is one, and goes to a state. In: A = that state.
; The interface may still be busy with a READ; the step waits for it.
; Clobbers A, X, Y.
link_close:
        sta     link_after
        jsr     rx_clear
        jsr     tx_clear
        jsr     beat_clear
        jsr     control_lost
        lda     link_after
        ldx     link_way
        bne     @serial
        ldx     socket_open
        beq     @closed
        lda     #LINK_CLOSE
        bne     @closed         ; always
@serial:
        jsr     pend_close
@closed:
        sta     link_state
        jmp     link_changed

; A key that begins anew while the socket is still being closed, which takes
; four seconds where a READ blocks: the link is dialled once it is closed.
; Out: carry clear: it will be; set: this is not the case. Clobbers A.
link_again:
        lda     link_state
        cmp     #LINK_CLOSE
        beq     @closing
        cmp     #LINK_CLOSE_W
        bne     @not
@closing:
        lda     link_after
        cmp     #LINK_HELD
        bne     @not
        lda     #LINK_WAIT
        sta     link_after
        mov16   retry_at, time
        clc
        rts
@not:   sec
        rts

; The firmware has closed the socket itself: its number may belong to another.
; Clobbers A, X.
link_socket_gone:
        lda     #0
        sta     socket_open
        jmp     record_save

; One pass of the link. Clobbers A, X, Y.
link_poll:
        lda     link_way
        beq     @uci
        jmp     serial_poll
@uci:   jsr     rx_hold
        jsr     uci_poll
        bcc     @timers
        jsr     op_ended
@timers:
        jsr     link_timers
        lda     uci_state
        cmp     #UCI_STUCK
        beq     @stuck
        cmp     #UCI_FREE
        bne     @busy
        ldx     link_state
        lda     step_low,x
        sta     link_vec
        lda     step_high,x
        sta     link_vec+1
        jmp     (link_vec)
@stuck: lda     link_state
        cmp     #LINK_HELD
        beq     @busy
        cmp     #LINK_OFF
        beq     @busy
        lda     #ERR_UCI_STUCK
        jmp     link_refuse
@busy:  rts

; What waits too long. Clobbers A, X, Y.
link_timers:
        lda     link_state
        cmp     #LINK_ON
        beq     @on
        cmp     #LINK_HELLO
        bcc     @none
        passed  shake_until
        bcc     @none
        lda     #ERR_SILENT
        jmp     link_lost
@on:    jmp     beat_timers
@none:  rts

step_close:
        lda     socket
        pha
        jsr     link_socket_gone ; cleared first: a reset between the two must
        lda     #NET_CLOSE       ; not close another's socket
        ldx     #WAIT_LONG
        jsr     uci_begin
        pla
        jsr     uci_put
        jsr     uci_push
        lda     link_state
        cmp     #LINK_STALE
        beq     @stale
        lda     #LINK_CLOSE_W
        bne     @set
@stale: lda     #LINK_STALE_W
@set:   sta     link_state
step_none:
        rts

step_wait:
        passed  retry_at
        bcc     step_none
        mov16   step_began, time
        lda     #LINK_DIAL
        sta     link_state
        jmp     link_changed

; A socket is open: send what is to be sent, else ask for what has come.
step_io:
        lda     tx_len
        ora     tx_len+1
        bne     @write
        jsr     send_pick
        bcs     @read
@write: jmp     tx_write
@read:  jmp     rx_read

; A command has ended; on to what it was. Clobbers A, X, Y.
op_ended:
        lda     link_state
        cmp     #LINK_HELLO
        bcs     @io
        tax
        lda     ended_low,x
        sta     link_vec
        lda     ended_high,x
        sta     link_vec+1
        jmp     (link_vec)
@io:    lda     uci_op
        cmp     #NET_READ
        beq     @read
        cmp     #NET_WRITE
        bne     step_none
        jmp     tx_written
@read:  jmp     rx_came

ended_close:
        lda     uci_op          ; a READ that still ran may end first
        cmp     #NET_CLOSE
        bne     op_none
        lda     link_after
        sta     link_state
        jmp     link_changed

op_none:
        rts

; An open that ended after the user had turned away from it: its socket is
; closed, else it would live until power-off.
ended_late:
        lda     uci_op
        cmp     #NET_OPEN
        bne     op_none
        lda     uci_code
        bne     op_none
        lda     uci_count
        beq     op_none
        lda     uci_reply
        sta     socket
        lda     #1
        sta     socket_open
        jsr     record_save
        lda     link_state
        cmp     #LINK_RESET     ; step_stale will close it
        beq     op_none
        jmp     link_close

ended_stale:
        lda     #LINK_COUNT
        sta     link_state
        rts

.rodata
; Whether an error is tried again. In the order of errors.inc.
retries:
        .byte   0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0
        .assert * - retries = ERR_COUNT, error, "an entry for each error"

; What a state does while the UCI is free, and when its command has ended. In
; the order of codes.inc.
.define STEPS step_none, step_none, step_wait, step_reset, step_stale, step_none, step_count, step_none, step_addr, step_none, step_dial, step_none, step_close, step_none, step_io, step_io, step_io, step_io, step_io, step_io, step_io, step_io, step_io, step_io
step_low:       .lobytes STEPS
step_high:      .hibytes STEPS
        .assert step_high - step_low = LINK_COUNT_ALL, error, "a step for each state"
.define ENDS ended_late, ended_late, ended_late, ended_late, step_none, ended_stale, step_none, ended_count, step_none, ended_addr, step_none, ended_dial, ended_close, ended_close
ended_low:      .lobytes ENDS
ended_high:     .hibytes ENDS
        .assert ended_high - ended_low = LINK_HELLO, error, "an end for each state"
