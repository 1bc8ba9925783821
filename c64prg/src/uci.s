; The Ultimate's command interface: one command at a time, pushed and then
; polled. Registers are written with constants only; reading one and writing it
; back would start DMA.
.include "p64.inc"

UCI_CONTROL = $DF1C             ; write: control, read: status
UCI_COMMAND = $DF1D             ; write: command bytes, read: id
UCI_DATA    = $DF1E
UCI_STATUS  = $DF1F

PUSH_CMD    = $01
DATA_ACC    = $02
ABORT       = $04
CLR_ERR     = $08

TARGET_NET  = $03

.bss
uci_state:      .res 1          ; UCI_...
uci_op:         .res 1          ; the command that runs or ended last
uci_until:      .res 2          ; deadline of this state
uci_began:      .res 2          ; when the command was pushed
uci_count:      .res 2          ; bytes in the reply's header
uci_code:       .res 1          ; number before the comma of the status text
uci_number:     .res 2          ; number behind its colon
uci_reply:      .res 12         ; reply of a short command
uci_hold:       .res 1          ; 1: the receive buffer is not ready for a READ

.code
; Is there a command interface? Out: carry clear; else carry set, A = error.
uci_find:
        lda     UCI_COMMAND
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
        lda     #TARGET_NET
        jsr     uci_put
        lda     uci_op
; Gives one byte of the command. In: A. Clobbers nothing at 1 MHz, else A.
uci_put:
        sta     UCI_COMMAND
; Keeps the distance that the interface needs on a fast machine: about 50 us.
; Keeps X, Y. Clobbers A on a fast machine.
uci_gap:
        bit     turbo
        bvs     uci_pause
        rts

; Starts what was given. Clobbers A.
uci_push:
        mov16   uci_began, time
        lda     #UCI_RUNNING
        sta     uci_state
        lda     #PUSH_CMD
        sta     UCI_CONTROL
        jmp     uci_gap

uci_pause:
        txa
        pha
        tya
        pha
        lda     turbo
        and     #$3F
        tax
@mhz:   ldy     #10             ; 50 cycles for each MHz
@loop:  dey
        bne     @loop
        dex
        bne     @mhz
        pla
        tay
        pla
        tax
        rts

; Gives a block of the command. In: uci_ptr, A/X = length, A low.
; Clobbers A, X, Y, uci_ptr, num.
uci_block:
        sta     num
        stx     num+1
        ldy     #0
        bit     turbo
        bvs     @next
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
        jsr     uci_gap_keep
        cpx     #UCI_RUNNING
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
@take:  jsr     take_reply
        lda     #DATA_ACC
        sta     UCI_CONTROL
        jsr     uci_gap
        lda     #UCI_SETTLING
        sta     uci_state
        after   uci_until, SECONDS(5)
        sec
        rts

@settle:
        and     settled - UCI_SETTLING,x
        beq     @free
        lda     UCI_CONTROL
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

; uci_gap that keeps A; its flags are lost.
uci_gap_keep:
        bit     turbo
        bvc     @slow
        pha
        jsr     uci_pause
        pla
@slow:  rts

; Takes the reply's data and its status text. Clobbers A, X, Y, ptr, num.
take_reply:
        lda     #0
        sta     uci_count
        sta     uci_count+1
        lda     uci_op
        cmp     #NET_READ
        beq     @counted
        cmp     #NET_WRITE
        beq     @counted
        ldx     #0
@short: lda     UCI_CONTROL     ; on an error there is no data at all
        jsr     uci_gap_keep
        and     #$80
        beq     @text
        lda     UCI_DATA
        jsr     uci_gap_keep
        sta     uci_reply,x
        inx
        stx     uci_count
        cpx     #12
        bcc     @short
        bcs     @text           ; always

@counted:
        lda     UCI_CONTROL
        jsr     uci_gap_keep
        and     #$80
        beq     @text
        lda     UCI_DATA
        jsr     uci_gap_keep
        sta     uci_count
        lda     UCI_DATA
        jsr     uci_gap_keep
        sta     uci_count+1
        lda     uci_op
        cmp     #NET_READ
        bne     @text
        jsr     take_data
@text:  jmp     take_status

; Copies the data of a READ to uci_ptr, counted by its header: DATA_AV does not
; end in every case. Clobbers A, X, Y, num.
take_data:
        ldx     uci_count
        ldy     uci_count+1
        cpy     #>READ_MAX
        bcc     @fits
        bne     @none           ; $FFFF, or more than was asked for
        cpx     #<READ_MAX + 1
        bcs     @none
@fits:  bit     turbo
        bvs     @fast
        tya
        beq     @rest
        ldy     #0              ; a whole page
@page:  lda     UCI_DATA        ; 4
        sta     (uci_ptr),y     ; 6
        iny                     ; 2
        lda     UCI_DATA        ; 4
        sta     (uci_ptr),y     ; 6
        iny                     ; 2
        bne     @page           ; 3 = 13.5 a byte
        inc     uci_ptr+1
@rest:  ldx     uci_count
        beq     @none
        ldy     #0
@byte:  lda     UCI_DATA        ; 4
        sta     (uci_ptr),y     ; 6
        iny                     ; 2
        dex                     ; 2
        bne     @byte           ; 3 = 17 a byte
@none:  rts

@fast:  stx     num             ; with the distance, at turbo speed
        sty     num+1
        ldy     #0
@next:  lda     num
        ora     num+1
        beq     @none
        lda     UCI_DATA
        jsr     uci_gap_keep
        sta     (uci_ptr),y
        iny
        bne     @same
        inc     uci_ptr+1
@same:  lda     num
        bne     @low
        dec     num+1
@low:   dec     num
        jmp     @next

; Reads the status text and the numbers in it: "02,NO DATA: 11" gives 2 and 11.
; The second is read to its end: "113" begins with "11".
; Out: uci_code, uci_number ($FFFF: there is none). Clobbers A, X, Y, num.
take_status:
        ldx     #0
@next:  lda     UCI_CONTROL
        jsr     uci_gap_keep
        and     #$40
        beq     @end
        lda     UCI_STATUS
        jsr     uci_gap_keep
        sta     STAT_BUF,x
        inx
        cpx     #STAT_SIZE - 1
        bcc     @next
@end:   lda     #0
        sta     STAT_BUF,x

        lda     #98             ; no text at all: not good
        cpx     #2
        bcc     @code
        lda     STAT_BUF
        and     #$0F
        sta     tmp
        asl
        asl
        adc     tmp
        asl                     ; * 10
        sta     tmp
        lda     STAT_BUF+1
        and     #$0F
        clc
        adc     tmp
@code:  sta     uci_code

        lda     #$FF
        sta     uci_number
        sta     uci_number+1
        ldx     #0
@colon: lda     STAT_BUF,x
        beq     @done
        inx
        cmp     #':'
        bne     @colon
        lda     #0
        sta     uci_number
        sta     uci_number+1
@digit: lda     STAT_BUF,x
        beq     @done
        inx
        sec
        sbc     #'0'
        cmp     #10
        bcs     @digit          ; the blank before it
        pha
        jsr     ten_times
        pla
        clc
        adc     uci_number
        sta     uci_number
        bcc     @digit
        inc     uci_number+1
        bcs     @digit          ; always
@done:  rts

; uci_number = uci_number * 10. Clobbers A, num.
ten_times:
        asl     uci_number
        rol     uci_number+1
        mov16   num, uci_number
        asl     uci_number
        rol     uci_number+1
        asl     uci_number
        rol     uci_number+1
        lda     uci_number
        clc
        adc     num
        sta     uci_number
        lda     uci_number+1
        adc     num+1
        sta     uci_number+1
        rts

.rodata
; What must be 0 before the next command: busy and state bits after a reply, the
; abort too after an abort.
settled:
        .byte   $35, $37, $37
waits:  .byte   <SECONDS(3), <SECONDS(12), <SECONDS(45)
waits_high:
        .byte   >SECONDS(3), >SECONDS(12), >SECONDS(45)
