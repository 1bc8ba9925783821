; Packets that come over the serial line, RFC 1662: a little of the ring is looked
; at on each pass.
.include "p64.inc"

PACKET_MAX  = 136               ; with its check, before escaping
PACKET_MIN  = 5
TAKES       = 64                ; bytes of the ring on one pass

.bss
in_head:        .res PACKET_HEAD ; kind, nonce, number

.code
; The next byte begins a packet. Out: Y = 0. Clobbers A.
in_clear:
        lda     #$FF
        sta     fcs_in
        sta     fcs_in+1
        ldy     #0
        sty     in_len
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
        ldx     nmi_put+1       ; all that is there, but not too much
        txa
        sec
        sbc     ser_tail
        cmp     #TAKES
        bcc     @all
        lda     ser_tail
        adc     #TAKES - 1      ; carry is set
        tax
@all:   stx     ser_end
        ldy     in_len
@next:  ldx     ser_tail        ; 3
        cpx     ser_end         ; 3
        beq     @end            ; 2
        lda     SER_RING,x      ; 4
        inc     ser_tail        ; 5
        cmp     #ESCAPE         ; 2
        bcs     @high           ; 2
        cmp     #XOFF + 1       ; 2
        bcc     @low            ; 2
@byte:  cpy     #PACKET_HEAD    ; 2
        bcc     @head           ; 2
        sta     (uci_ptr),y     ; 6
@check: iny                     ; 2
        beq     @long           ; 2
        eor     fcs_in          ; 3
        tax                     ; 2
        lda     fcs_in+1        ; 3
        eor     fcs_low,x       ; 4
        sta     fcs_in          ; 3
        lda     fcs_high,x      ; 4
        sta     fcs_in+1        ; 3
        jmp     @next           ; 3 = 64
@head:  sta     in_head,y
        bcc     @check          ; always
@long:  dey                     ; until the next flag
        bne     @next           ; always
@low:   cmp     #XON            ; a modem between may have put them in
        beq     @next
        cmp     #XOFF
        beq     @next
        bne     @byte           ; always
@high:  beq     @escape
        cmp     #FLAG
        bne     @byte
        cpy     #PACKET_MIN
        bcc     @bad
        cpy     #PACKET_MAX + 1
        bcs     @bad
        lda     fcs_in
        cmp     #$B8
        bne     @bad
        lda     fcs_in+1
        cmp     #$F0
        bne     @bad
        tya
        tax
        jsr     packet_came
        jsr     in_clear
        beq     @end            ; always
@bad:   jsr     in_clear
        beq     @next           ; always
@escape:
        inx                     ; the byte behind it is not there yet: next time
        cpx     ser_end
        beq     @wait
        lda     SER_RING,x
        inc     ser_tail
        cmp     #FLAG           ; an escaped flag takes a packet back
        beq     @bad
        eor     #FLIP
        jmp     @byte
@wait:  dec     ser_tail
@end:   sty     in_len
        lda     ser_tail
        clc
        adc     #HELD_AT
        sta     ser_hold
        jmp     ser_release
