; The 6551 of a SwiftLink or Turbo232: found, set to a speed, and read by NMI
; into a ring of 256 bytes. Sending is in packet.s, by looking at the chip: an
; interrupt for it would be of no use, as its bytes are made as they go.
.include "p64.inc"
.import __NMICODE_LOAD__, __NMICODE_RUN__, __NMICODE_SIZE__

; Registers, from the base.
STATUS      = 1                 ; a write resets the chip
COMMAND     = 2
CONTROL     = 3
FAST        = 7                 ; of a Turbo232 alone

RDRF        = $08               ; in STATUS: a byte has come
COMMAND_ON  = $09               ; DTR, RTS, interrupt for each byte that comes
COMMAND_HELD = $01              ; the same without RTS: stops the transmitter too
COMMAND_OFF = $02               ; what a reset leaves: deaf and silent

FREE_AT     = 32                ; at which it goes on again

OP_PHA      = $48
OP_RTI      = $40

.bss
fcs_low:        .res 256
fcs_high:       .res 256

; In one page, so that the vector's low byte alone tells the two ways in apart. A
; byte costs 51 cycles from the interrupt to the RTI. The base is written into the
; instructions.
.segment "NMICODE"
; The NMI while the RAM beneath the I/O is looked at.
nmi_beneath:
        pha
        lda     $01
        pha
        lda     #BANK_IO
        sta     $01
        jsr     nmi_look
        pla
        sta     $01
        pla
        rti

; As if the NMI came now: it takes a byte whose edge a look at the status has
; swallowed, and lets the line go that RESTORE held when a byte came.
; Clobbers A.
nmi_look:
        lda     #>@back         ; the return address, as an interrupt has it
        pha
        lda     #<@back
        pha
        php
        jmp     nmi_entry
@back:  rts

nmi_entry:
        rti                     ; 3    PHA while the line is in use
nmi_status:
        lda     $DE00 + STATUS  ; 4    lets the interrupt line go
        and     #RDRF           ; 2
        beq     nmi_none        ; 2    RESTORE, or a change of the carrier
nmi_data:
        lda     $DE00           ; 4
nmi_put:
        sta     SER_RING        ; 4    its low byte is the ring's head
        inc     nmi_put+1       ; 6
        lda     nmi_put+1       ; 4
        cmp     ser_hold        ; 3
        beq     nmi_hold        ; 2
nmi_none:
        pla                     ; 4
        rti                     ; 6    and 7 of the interrupt = 51
nmi_hold:
        lda     #COMMAND_HELD
nmi_command:
        sta     $DE00 + COMMAND
        pla
        rti

; Writes a byte. Not by (acia),y: that reads the place first, which would take a
; received byte away. In: A.
acia_put:
        sta     $DE00
        rts

.code
; Puts the interrupt's code into place. Clobbers A, X.
acia_init:
        ldx     #<__NMICODE_SIZE__ - 1
@copy:  lda     __NMICODE_LOAD__,x
        sta     __NMICODE_RUN__,x
        dex
        bpl     @copy
        rts

; Finds the chip and takes it into use. Only its own reset tells it from other
; cartridges' registers, as those of a RAM expansion at $DF00, which also read
; as they were written. Out: carry clear; set: it is not there, or has not that speed.
; Clobbers A, X, Y.
acia_open:
        ldx     #1
@base:  lda     bases,x
        sta     acia+1
        ldy     #COMMAND
        lda     #$0A            ; DTR and interrupts off
        sta     (acia),y
        cmp     (acia),y
        bne     @next
        dey
        sta     (acia),y        ; a RAM expansion moves nothing: bit 7 is clear
        iny
        lda     (acia),y
        and     #$1D            ; MOS leaves 2 there, Rockwell 0
        beq     @found
@next:  dex
        bpl     @base
@none:  sec
        rts

@found: ldx     baud
        lda     controls,x
        iny
        sta     (acia),y
        cpx     #BAUD_FAST
        bcc     @set
        txa
        eor     #7              ; 57600 is 2, 115200 is 1
        ldy     #FAST
        sta     (acia),y
        ora     #$04            ; it says that it is in use; a mirror does not
        eor     (acia),y
        and     #$07
        bne     @none
@set:   jsr     fcs_init
        lda     acia+1
        sta     nmi_status+2
        sta     nmi_data+2
        sta     nmi_command+2
        sta     acia_put+2
        lda     #0
        sta     nmi_put+1
        sta     ser_tail
        sta     pend
        sta     out_len
        jsr     in_clear
        lda     #HELD_AT
        sta     ser_hold
        lda     #OP_PHA
        sta     nmi_entry
        lda     #COMMAND_ON
        bne     acia_command    ; always

; Lets the chip go, before something else gets the NMI. Clobbers A, Y.
acia_close:
        lda     #OP_RTI
        sta     nmi_entry
        lda     acia+1          ; 0: none was looked for
        beq     acia_done
        lda     #COMMAND_OFF
acia_command:
        ldy     #COMMAND
        sta     (acia),y
        clc
acia_done:
        rts

; Room again in the ring: lets the bridge go on. Clobbers A, Y.
ser_release:
        lda     nmi_put+1
        sec
        sbc     ser_tail
        cmp     #FREE_AT + 1
        bcs     acia_done
        ldy     #COMMAND
        lda     (acia),y
        cmp     #COMMAND_HELD
        bne     acia_done
        lda     #COMMAND_ON
        bne     acia_command    ; always

; Makes the table of the check, RFC 1662's. Clobbers A, X, Y.
fcs_init:
        ldx     #0
@byte:  ldy     #8
        lda     #0
        sta     fcs_in
        txa
@bit:   lsr     fcs_in
        ror     a
        bcc     @same
        pha
        lda     fcs_in
        eor     #$84
        sta     fcs_in
        pla
        eor     #$08
@same:  dey
        bne     @bit
        sta     fcs_low,x
        lda     fcs_in
        sta     fcs_high,x
        inx
        bne     @byte
        rts

.rodata
bases:          .byte >$DF00, >$DE00
; By the block's number: 38400, 19200, 9600, 4800, 2400, 57600, 115200. The
; cartridge's crystal doubles the chip's rates.
controls:       .byte $1F, $1E, $1C, $1A, $18, $10, $10
        .assert * - controls = BAUDS, error, "a speed for each number"
