; The Ultimate's command interface: one command at a time, pushed and then
; polled. Registers are written with constants only; reading one and writing it
; back would start DMA.
.include "p64.inc"

TARGET_NET  = $03
GAP         = 45                ; us between two accesses, and a few to spare

.zeropage
uci_state:      .res 1          ; UCI_...
uci_op:         .res 1          ; the command that runs or ended last
uci_until:      .res 2          ; deadline of this state
uci_began:      .res 2          ; when the command was pushed
uci_count:      .res 2          ; bytes in the reply's header
uci_code:       .res 1          ; number before the comma of the status text
uci_number:     .res 2          ; number behind its colon
gap_from:       .res 1          ; the timer at an access
turbo:          .res 1          ; $FF on a fast machine, else 0

.bss
uci_reply:      .res 12         ; reply of a short command
uci_hold:       .res 1          ; 1: the receive buffer is not ready for a READ

.code
; Is there a command interface? Out: carry clear; else carry set, A = error.
uci_find:
        jsr     uci_speed
        lda     UCI_COMMAND
        jsr     uci_gap
        and     #$7F            ; bit 7 is away while its interrupt is active
        cmp     #$49
        bne     @off
        clc
        rts
@off:   lda     #ERR_UCI_OFF
        sec
        rts

; Throws away whatever the interface does or holds. Bytes that an earlier
; program left would come before our first command. Clobbers A, X.
uci_abort:
        lda     #CLR_ERR
        sta     UCI_CONTROL
        jsr     uci_gap
        lda     #ABORT
        sta     UCI_CONTROL
        jsr     uci_gap
        lda     #UCI_ABORTING
        sta     uci_state
        after   uci_until, SECONDS(30)  ; a connect that runs is not cut short
        rts

; Begins a command. Only when uci_state is UCI_FREE.
; In: A = command, X = WAIT_...: when it counts as lost. Clobbers A, X.
uci_begin:
        sta     uci_op
        lda     waits,x
        clc
        adc     time
        sta     uci_until
        lda     waits_high,x
        adc     time+1
        sta     uci_until+1
        jsr     uci_speed
        lda     #TARGET_NET
        jsr     uci_put
        lda     uci_op
; Gives one byte of the command. In: A. Clobbers nothing.
uci_put:
        sta     UCI_COMMAND
; Behind each access: keeps the distance that the interface needs on a fast
; machine, 38 us (JC-000/c64-test-harness, docs/uci_networking.md), by a timer
; that knows no turbo. Keeps A, X, Y; its flags are lost.
uci_gap:
        bit     turbo
        bpl     @slow
        pha
        lda     TIMER
        sta     gap_from
@wait:  lda     gap_from
        sec
        sbc     TIMER           ; it counts down
        cmp     #GAP
        bcc     @wait
        pla
@slow:  rts

; Is this a fast machine, now? Its turbo may be switched at any time. The loop
; takes 51 us at 1 MHz, 26 at 2; it is looked at twice, for a bad line or the
; interrupt may stretch one. Out: turbo. Clobbers A, X.
uci_speed:
        lda     #0
        sta     turbo
        jsr     @once
@once:  ldx     #8
        lda     TIMER           ; 4
        sta     gap_from        ; 3
@loop:  dex                     ; 2
        bne     @loop           ; 3, in all 39
        lda     gap_from        ; 3
        sec                     ; 2
        sbc     TIMER           ; 4: it counts down
        cmp     #40
        bcs     @slow
        lda     #$FF
        sta     turbo
@slow:  rts

; Starts what was given. Clobbers A.
uci_push:
        mov16   uci_began, time
        lda     #UCI_RUNNING
        sta     uci_state
        lda     #PUSH_CMD
        sta     UCI_CONTROL
        jmp     uci_gap

; Gives a block of the command. In: uci_ptr, A/X = length, A low.
; Clobbers A, X, Y, uci_ptr, num.
uci_block:
        sta     num
        stx     num+1
        ldy     #0
        bit     turbo
        bmi     @next
        cpx     #0
        beq     @rest
@page:  lda     (uci_ptr),y     ; 5
        sta     UCI_COMMAND     ; 4
        iny                     ; 2
        bne     @page           ; 3 = 14 a byte
        inc     uci_ptr+1
        dex
        bne     @page
@rest:  ldx     num
        beq     @done
@byte:  lda     (uci_ptr),y
        sta     UCI_COMMAND
        iny
        dex
        bne     @byte
        rts

@next:  lda     num
        ora     num+1
        beq     @done
        lda     (uci_ptr),y
        jsr     uci_put
        iny
        bne     @same
        inc     uci_ptr+1
@same:  lda     num
        bne     @low
        dec     num+1
@low:   dec     num
        jmp     @next
@done:  rts

; Looks at the interface. Out: carry set when a command has ended: uci_op,
; uci_code, uci_number, uci_count say how. A command that never ends is ended
; here with code 99. Clobbers A, X, Y.
uci_poll:
        ldx     uci_state
        bne     @some
        clc                     ; UCI_FREE
        rts
@some:
        lda     UCI_CONTROL
        jsr     uci_gap
        cmp     #$FF            ; no state: the interface was switched off, or a
        bne     @state          ; turbo on, and this look came too soon
        jsr     uci_speed
        jsr     uci_gap
        ldx     uci_state
        lda     #$01            ; counts as busy
@state: cpx     #UCI_RUNNING
        bne     @settle
        and     #$20            ; data, last or more: never wait for CMD_BUSY
        bne     @reply
        passed  uci_until
        bcc     @nothing
        jsr     uci_abort
        lda     #99
        sta     uci_code
        sec
        rts
@reply: lda     uci_op
        cmp     #NET_READ
        bne     @take
        lda     uci_hold
        bne     @nothing
@take:  jsr     uci_speed
        jsr     take_reply
        lda     #DATA_ACC
        sta     UCI_CONTROL
        jsr     uci_gap
        lda     #UCI_SETTLING
        sta     uci_state
        after   uci_until, SECONDS(5)
        sec
        rts

@settle:
        sta     tmp
        and     settled - UCI_SETTLING,x
        beq     @free
        lda     tmp
        and     #$30
        cmp     #$30
        bne     @wait
        lda     #DATA_ACC       ; more blocks than we asked for: drop them
        sta     UCI_CONTROL
        jsr     uci_gap
@wait:  passed  uci_until
        bcc     @nothing
        cpx     #UCI_STUCK
        beq     @nothing
        cpx     #UCI_ABORTING
        beq     @stuck
        jsr     uci_abort
        clc
        rts
@stuck: lda     #UCI_STUCK
        sta     uci_state
@nothing:
        clc
        rts
@free:  lda     #UCI_FREE
        sta     uci_state
        clc
        rts

.rodata
; What must be 0 before the next command: busy and state bits after a reply, the
; abort too after an abort.
settled:
        .byte   $35, $37, $37
waits:  .byte   <SECONDS(3), <SECONDS(12), <SECONDS(45)
waits_high:
        .byte   >SECONDS(3), >SECONDS(12), >SECONDS(45)
