; The connect screen's fields as they show.
.include "p64.inc"

ROW_HOST  = 9
FIELD_AT  = 10
SHOWN     = LINE_COLS - FIELD_AT - 1

.code
; Draws the fields. Clobbers A, X, Y.
fields_draw:
        ldax    msg_f_host
        ldy     #0
        jsr     name
        lda     #SHOWN
        jsr     host_tail
        lda     #1
        jsr     drawn
        jsr     cursor
        ldax    msg_f_port
        ldy     #1
        jsr     name
        lda     #2
        jsr     drawn
        lda     field
        cmp     #2
        beq     @typed
        lda     port
        sta     num
        lda     port+1
        sta     num+1
        jsr     screen_num
        jmp     @port
@typed: ldax    port_text
        jsr     screen_text
@port:  jsr     cursor
        ldax    msg_f_link
        ldy     #2
        jsr     name
        jsr     way_text
        jsr     screen_rest
        ldax    msg_f_code
        ldy     #3
        jsr     name
        lda     #3
        jsr     drawn
        lda     pair_code
        bne     @code
        lda     field
        cmp     #3
        beq     @codeend
        ldax    msg_f_none
        jsr     screen_text
        jmp     @codeend
@code:  ldx     #0
@char:  lda     pair_code,x
        beq     @codeend
        stx     tmp
        jsr     screen_put
        ldx     tmp
        inx
        cpx     #PAIRING_CODE_SIZE
        bcc     @char
@codeend:
        jmp     cursor

; The row's name. In: A/X = text, Y = number of the row. Out: the field's place.
; Clobbers A, X, Y.
name:   pha
        txa
        pha
        tya
        clc
        adc     #ROW_HOST
        tax
        ldy     #1
        lda     #ROLE_HINT
        jsr     screen_at
        pla
        tax
        pla
        jsr     screen_text
        lda     #FIELD_AT
        jsr     screen_pad
        lda     #ROLE_AGENT
        jmp     screen_role

; Remembers which field is drawn. In: A = its number.
drawn:  sta     tmp3
        rts

; The field's end: a cursor if it is the open one. Clobbers A, Y, tmp.
cursor: lda     tmp3
        cmp     field
        bne     @rest
        lda     #CH_SOLID
        jsr     screen_code
@rest:  jmp     screen_rest

; Writes the host. In: A = columns. Clobbers A, X, Y, ptr, tmp2, tmp3.
host_tail:
        sta     tmp3
        ldy     #$FF
@end:   iny
        lda     host,y          ; the last byte is always 0
        bne     @end
        ldax    host
        jmp     screen_tail
