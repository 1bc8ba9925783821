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
        lda     #1
        jsr     drawn
        lda     #<host
        ldx     #>host
        jsr     tail_text
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

; Writes the end of a text that is too long. In: A/X = text. Clobbers A, X, Y.
tail_text:
        sta     ptr
        stx     ptr+1
        ldy     #0
@end:   lda     (ptr),y
        beq     @have
        iny
        cpy     #HOST_SIZE
        bcc     @end
@have:  tya
        sec
        sbc     #SHOWN
        bcc     @all
        clc
        adc     ptr
        sta     ptr
        bcc     @all
        inc     ptr+1
@all:   lda     ptr
        ldx     ptr+1
        jmp     screen_text
