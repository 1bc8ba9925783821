; Packets that go out over the serial line, RFC 1662: made byte by byte as the chip
; takes them.
.include "p64.inc"

TRIES       = 24                ; looks at the chip on one pass, 30 to 120 cycles

RDRF        = $08
TDRE        = $10

.bss
out_head:       .res PACKET_HEAD
out_len:        .res 1          ; bytes without the check; 0: none goes
out_pos:        .res 1          ; of which are sent
out_next:       .res 1          ; second byte of an escaped one, or 0

.code
; Sends what the chip takes within a moment. Looking at its status also lets go
; of the interrupt line, so a byte that came in this very moment is taken here,
; before the raster interrupt can come between. Clobbers A, X, Y.
packet_send:
        lda     #TRIES
        sta     serial_left
@try:   ldy     #1
        sei
        lda     (acia),y
        tax
        and     #RDRF
        beq     @room
        jsr     nmi_look
@room:  cli
        txa
        and     #TDRE
        beq     @again
        lda     out_len
        bne     @goes
        jsr     packet_pick
        bcs     @done
        lda     #$FF
        sta     fcs_out
        sta     fcs_out+1
        lda     #0
        sta     out_pos
        sta     out_next
        beq     @flag           ; always
@put:   jsr     acia_put
@again: dec     serial_left
        bne     @try
@done:  rts
@goes:  lda     out_next
        beq     @next
        ldx     #0
        stx     out_next
        beq     @put            ; always
@next:  ldy     out_pos
        inc     out_pos
        cpy     out_len
        bcs     @check
        lda     out_head,y
        cpy     #PACKET_HEAD
        bcc     @sum
        lda     (out_ptr),y
@sum:   pha
        eor     fcs_out
        tax
        lda     fcs_out+1
        eor     fcs_low,x
        sta     fcs_out
        lda     fcs_high,x
        sta     fcs_out+1
        pla
        jmp     @code
@check: beq     @low
        dey
        cpy     out_len
        beq     @high
        lda     #0
        sta     out_len
        jsr     packet_gone
@flag:  lda     #FLAG
        bne     @put            ; always
@low:   lda     fcs_out
        .byte   $2C             ; BIT: over the next one
@high:  lda     fcs_out+1
        eor     #$FF
@code:  cmp     #ESCAPE
        beq     @escape
        cmp     #FLAG
        beq     @escape
        cmp     #XON
        beq     @escape
        cmp     #XOFF
        bne     @put
@escape:
        eor     #FLIP
        sta     out_next
        lda     #ESCAPE
        bne     @put            ; always
