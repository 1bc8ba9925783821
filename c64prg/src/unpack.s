; Packets that come over the serial line, RFC 1662: a little of the ring is looked
; at on each pass.
.include "p64.inc"

PACKET_MAX  = 136               ; with its check, before escaping
PACKET_MIN  = 5
TAKES       = 48                ; bytes of the ring on one pass

.bss
in_head:        .res PACKET_HEAD ; kind, nonce, number

.code
; The next byte begins a packet. Out: Z set. Clobbers A.
in_clear:
        lda     #$FF
        sta     fcs_in
        sta     fcs_in+1
        lda     #0
        sta     in_flip
        sta     in_len
in_done:
        rts

; Takes from the ring, up to the end of a good packet. Its data goes to where the
; next bytes of the stream belong, so nothing is taken while frames there wait.
; Clobbers A, X, Y, uci_ptr.
ser_take:
        lda     rx_ready
        beq     in_done
        lda     rx_fill
        clc
        adc     #<(RX_BUF - PACKET_HEAD)
        sta     uci_ptr
        lda     rx_fill+1
        adc     #>(RX_BUF - PACKET_HEAD)
        sta     uci_ptr+1
        lda     #TAKES
        sta     serial_left
@next:  ldx     ser_tail       ; 3
        cpx     nmi_put+1       ; 3
        beq     @end            ; 2
        lda     SER_RING,x      ; 4
        inc     ser_tail       ; 5
        inc     ser_room       ; 5
        cmp     #ESCAPE         ; 2
        bcs     @high           ; 2
        cmp     #XOFF + 1       ; 2
        bcc     @low            ; 2
@byte:  eor     in_flip         ; 3
        ldy     #0              ; 2
        sty     in_flip         ; 3
        ldy     in_len          ; 3
        cpy     #PACKET_HEAD           ; 2
        bcc     @head           ; 2
        cpy     #PACKET_MAX + 1 ; 2
        bcs     @more           ; 2     too long: until the next flag
        sta     (uci_ptr),y     ; 6
@check: inc     in_len          ; 5
        eor     fcs_in          ; 3
        tax                     ; 2
        lda     fcs_in+1        ; 3
        eor     fcs_low,x       ; 4
        sta     fcs_in          ; 3
        lda     fcs_high,x      ; 4
        sta     fcs_in+1        ; 3
@more:  dec     serial_left     ; 5
        bne     @next           ; 3 = 94
@end:   jmp     ser_release
@head:  sta     in_head,y
        bcc     @check          ; always
@low:   cmp     #XON            ; a modem between may have put them in
        beq     @more
        cmp     #XOFF
        beq     @more
        bne     @byte           ; always
@high:  beq     @escape
        cmp     #FLAG
        bne     @byte
        ldx     in_len
        lda     in_flip         ; an escaped flag takes a packet back
        bne     @bad
        cpx     #PACKET_MIN
        bcc     @bad
        cpx     #PACKET_MAX + 1
        bcs     @bad
        lda     fcs_in
        cmp     #$B8
        bne     @bad
        lda     fcs_in+1
        cmp     #$F0
        bne     @bad
        jsr     packet_came
        jsr     in_clear
        beq     @end            ; always
@bad:   jsr     in_clear
        beq     @more           ; always
@escape:
        lda     #FLIP
        sta     in_flip
        bne     @more           ; always

