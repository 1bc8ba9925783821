; From a free interface to an open socket.
.include "p64.inc"

.zeropage
if_index:       .res 1
if_found:       .res 1          ; 1: one has an address, or nobody could say

.bss
if_count:       .res 1          ; interfaces

.code
; The interface is idle: nothing of an earlier program is left in it.
step_reset:
        lda     #LINK_STALE
        sta     link_state
; A socket that a reset left open is closed, else it lives until power-off.
step_stale:
        lda     socket_open
        beq     @none
        jmp     step_close
@none:  lda     #LINK_COUNT
        sta     link_state
step_count:
        lda     #NET_COUNT
        ldx     #WAIT_SHORT
        jsr     uci_begin
        jsr     uci_push
        lda     #LINK_COUNT_W
        sta     link_state
        rts

ended_count:
        ldx     #0
        stx     if_index
        stx     if_found
        lda     uci_code
        bne     @dial           ; old firmware may not know the command
        lda     uci_count
        beq     @dial
        lda     uci_reply
        beq     @dial
        sta     if_count
        lda     #LINK_ADDR
        sta     link_state
        rts
@dial:  inc     if_found
        lda     #LINK_DIAL
        sta     link_state
        rts

; Each interface is asked: Ethernet may have no address while Wi-Fi works.
step_addr:
        lda     #NET_ADDRESS
        ldx     #WAIT_SHORT
        jsr     uci_begin
        lda     if_index
        jsr     uci_put
        jsr     uci_push
        lda     #LINK_ADDR_W
        sta     link_state
        rts

ended_addr:
        lda     uci_code
        bne     @next
        lda     uci_reply
        ora     uci_reply+1
        ora     uci_reply+2
        ora     uci_reply+3
        beq     @next
        inc     if_found
        bne     @dial           ; always
@next:  inc     if_index
        lda     if_index
        cmp     if_count
        bcs     @dial           ; none: try even so, and say it if that fails
        lda     #LINK_ADDR
        sta     link_state
        rts
@dial:  lda     #LINK_DIAL
        sta     link_state
        rts

step_dial:
        lda     host
        bne     @named
        lda     #ERR_NO_HOST
        jmp     link_refuse
@named: lda     #NET_OPEN
        ldx     #WAIT_OPEN
        jsr     uci_begin
        lda     port
        jsr     uci_put
        lda     port+1
        jsr     uci_put
        ldx     #0
@host:  lda     host,x
        beq     @end
        jsr     uci_put
        inx
        cpx     #HOST_SIZE
        bcc     @host
@end:   lda     #0
        jsr     uci_put
        jsr     uci_push
        lda     #LINK_DIAL_W
        sta     link_state
        jmp     link_changed

ended_dial:
        lda     uci_op
        cmp     #NET_OPEN
        bne     dial_wait
        lda     uci_code
        bne     dial_failed
        lda     uci_count
        beq     dial_failed
        lda     uci_reply
        sta     socket
        lda     #1
        sta     socket_open
; A connection is there: greet the bridge. Clobbers A, X.
dial_open:
        jsr     record_save
        jsr     rx_clear
        jsr     tx_clear
        jsr     beat_clear
        after   shake_until, SECONDS(10)
        lda     #LINK_HELLO
        sta     link_state
        jmp     link_changed
dial_failed:
        jsr     dial_error
        jmp     link_lost
dial_wait:
        rts

; Why an open failed. Out: A = error. Clobbers X.
dial_error:
        lda     uci_code
        cmp     #99
        beq     @silent
        lda     if_found
        beq     @network
        ldx     #CODES - 1
@code:  lda     uci_code
        cmp     codes_known,x
        beq     @known
        dex
        bpl     @code
        cmp     #11             ; ERROR ON CONNECT, with newlib's number
        bne     @other
        ldx     #NUMBERS - 1
@number:
        lda     uci_number
        cmp     numbers,x
        beq     @reason
        dex
        bpl     @number
@other: lda     #ERR_OPEN
        rts
@known: lda     codes_error,x
        rts
@reason:
        lda     numbers_error,x
        rts
@network:
        lda     #ERR_NO_NETWORK
        rts
@silent:
        lda     #ERR_NO_ANSWER
        rts

.rodata
codes_known:    .byte 84, 85, 86
codes_error:    .byte ERR_DNS, ERR_NO_SOCKET, ERR_NO_SOCKET
CODES = codes_error - codes_known
; Refused shows as reset; no answer as aborted or timed out.
numbers:        .byte 104, 111, 113, 110, 116, 118, 101, 51, 114
numbers_error:  .byte ERR_REFUSED, ERR_REFUSED, ERR_NO_ANSWER, ERR_NO_ANSWER
                .byte ERR_NO_ANSWER, ERR_NO_ROUTE, ERR_NO_ROUTE, ERR_NO_ROUTE
                .byte ERR_NO_ROUTE
NUMBERS = numbers_error - numbers
        .assert * - numbers_error = NUMBERS, error, "an error for each number"
