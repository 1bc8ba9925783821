; The address on the connect screen, and editing it: host, port, code.
.include "p64.inc"

PORT_MAX  = 5

.zeropage
field:          .res 1          ; which is edited: 1 host, 2 port, 3 code, 0 none
field_len:      .res 1

.bss
port_text:      .res PORT_MAX + 1

.code
; Opens a field. In: A = its number. Clobbers A, X, Y.
fields_open:
        sta     field
        lda     port            ; the port as text
        sta     num
        lda     port+1
        sta     num+1
        jsr     decimal
        ldy     #0
@digit: lda     digits,x
        sta     port_text,y
        iny
        inx
        cpx     #PORT_MAX
        bcc     @digit
        lda     #0
        sta     port_text,y
        jsr     field_measure
        jsr     connect_hints
        jmp     fields_draw

; Leaves the fields. Clobbers A, X, Y.
fields_close:
        lda     #0
        sta     field
        jsr     record_save
        jsr     connect_hints
        jmp     fields_draw

; Where the open field's text is and how long. Out: ptr2, field_len.
; Clobbers A, X, Y.
field_measure:
        jsr     field_ptr
        ldy     #0
@next:  lda     (ptr2),y
        beq     @end
        iny
        tya
        cmp     sizes-1,x
        bcc     @next
@end:   sty     field_len
        rts

; Out: ptr2, X = field. Clobbers A.
field_ptr:
        ldx     field
        lda     text_low-1,x
        sta     ptr2
        lda     text_high-1,x
        sta     ptr2+1
        rts

; The next field, or out of them. Clobbers A, X, Y.
field_next:
        lda     field
        cmp     #3
        bcs     fields_close
        adc     #1
        jmp     fields_open

; The field before. Clobbers A, X, Y.
field_before:
        lda     field
        cmp     #2
        bcc     @first
        sbc     #1
        jmp     fields_open
@first: rts

; In: A = key. Clobbers A, X, Y.
fields_key:
        cmp     #KEY_RETURN
        beq     field_next
        cmp     #KEY_DOWN
        beq     field_next
        cmp     #KEY_UP
        beq     field_before
        cmp     #KEY_STOP
        beq     fields_close
        cmp     #KEY_DEL
        beq     @delete
        cmp     #KEY_CLR
        beq     @clear
        cmp     #$21
        bcc     @none
        cmp     #$7F
        bcs     @none
        ldx     field
        cpx     #2
        bcc     @store          ; host: any character
        beq     @port
        cmp     #'a'            ; code: capitals
        bcc     @store
        cmp     #'z' + 1
        bcs     @store
        and     #$DF
        bne     @store          ; always
@port:  cmp     #'0'
        bcc     @none
        cmp     #'9' + 1
        bcs     @none
@store: pha
        jsr     field_ptr
        pla
        ldy     field_len
        pha
        tya
        cmp     limits-1,x
        pla
        bcs     @none
        sta     (ptr2),y
        inc     field_len
        iny
        lda     #0
        cpx     #3              ; a full code has no end mark
        bne     @mark
        cpy     #PAIRING_CODE_SIZE
        bcs     @show
@mark:  sta     (ptr2),y
@show:  jsr     port_take
        bcs     @delete         ; more than 65535: the digit goes again
        jmp     fields_draw
@none:  rts

@delete:
        ldy     field_len
        beq     @none
        dey
@cut:   sty     field_len
        jsr     field_ptr
        lda     #0
        ldy     field_len
@zero:  sta     (ptr2),y        ; zero padded, as the bridge patches it
        iny
        tya
        cmp     sizes-1,x
        lda     #0
        bcc     @zero
        bcs     @show           ; always
@clear: ldy     #0
        beq     @cut            ; always

; The port's text as a number. Out: port; carry set: it is too large.
; Clobbers A, X, Y, num.
port_take:
        lda     field
        cmp     #2
        clc
        bne     @end
        lda     #0
        sta     uci_number
        sta     uci_number+1
        ldx     #0
@digit: lda     port_text,x
        beq     @done
        cpx     #PORT_MAX - 1   ; the fifth: 6553 times ten is the most
        bcc     @fits
        lda     #<6553
        cmp     uci_number
        lda     #>6553
        sbc     uci_number+1
        bcc     @large
        lda     port_text,x
@fits:  and     #$0F
        pha
        jsr     ten_times
        pla
        clc
        adc     uci_number
        sta     uci_number
        bcc     @same
        inc     uci_number+1
        beq     @large          ; past 65535
@same:  inx
        bne     @digit          ; always
@done:  mov16   port, uci_number
        clc
@end:   rts
@large: sec
        rts

.rodata
text_low:       .byte <host, <port_text, <pair_code
text_high:      .byte >host, >port_text, >pair_code
sizes:          .byte HOST_SIZE, PORT_MAX, PAIRING_CODE_SIZE
limits:         .byte HOST_SIZE - 1, PORT_MAX, PAIRING_CODE_SIZE
