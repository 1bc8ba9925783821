; The heartbeat: silence is answered with a question, and its silence with a
; new connection.
.include "p64.inc"

QUIET_TURN = MS(HEARTBEAT_QUIET_MS)
QUIET_IDLE = MS(HEARTBEAT_IDLE_MS)
ACK_WAIT   = MS(HEARTBEAT_ACK_MS)

.zeropage
beat_state:     .res 1          ; OPEN_...

.bss
beat_until:     .res 2

.code
beat_clear:
        lda     #OPEN_NONE
        sta     beat_state
        rts

; A frame came in, whatever it is: the line lives. Clobbers A.
beat_heard:
        mov16   last_in, time
        lda     #OPEN_NONE
        sta     beat_state
        rts

; The heartbeat's WRITE has ended: from here its answer is awaited. An answer
; cannot come before the READ behind it. Clobbers A.
beat_sent:
        lda     #OPEN_SENT
        sta     beat_state
        after   beat_until, ACK_WAIT
        rts

; On line. Clobbers A, X, Y.
beat_timers:
        lda     beat_state
        beq     @quiet
        cmp     #OPEN_SENT
        bne     @none
        lda     rx_ready        ; what has come is looked at before it is judged
        beq     @none
        passed  beat_until
        bcc     @none
        lda     #ERR_SILENT
        jmp     link_lost
@quiet: lda     time
        sec
        sbc     last_in
        tax
        lda     time+1
        sbc     last_in+1
        tay
        lda     turn
        beq     @idle
        cpx     #<QUIET_TURN
        tya
        sbc     #>QUIET_TURN
        bcs     @want
        rts
@idle:  cpx     #<QUIET_IDLE
        tya
        sbc     #>QUIET_IDLE
        bcc     @none
@want:  lda     #OPEN_WANT
        sta     beat_state
@none:  rts
