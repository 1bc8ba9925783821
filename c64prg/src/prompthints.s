; What stands in the editor's rows when it leaves them: the keys, help.
.include "p64.inc"

SCROLL_AT = 16                  ; columns of the keys
STOP_AT   = 28                  ; with a blank before it

.code
; What the keys do, in the rows that are free. Clobbers A, X, Y.
prompt_hints:
        ldx     #ROW_EDIT + 1
        stx     tmp2
        lda     #ROLE_HINT
        sta     tmp3
        ldax    msg_hint_send
        jsr     screen_line
        inc     tmp2
; In: tmp2 = row.
prompt_keys:
        ldx     tmp2
        ldy     #0
        lda     #ROLE_HINT
        jsr     screen_at
        jsr     key_return
        lda     #SCROLL_AT
        jsr     screen_pad
        ldax    msg_key_scroll
        jsr     screen_text
        jsr     key_stop
        jmp     screen_rest

; What RETURN does: on a link that is not tried any more it begins anew.
; Clobbers A, X, Y, ptr.
key_return:
        lda     link_state
        cmp     #LINK_HELD
        beq     @anew
        ldax    msg_key_send
        jmp     screen_text
@anew:  ldax    msg_key_anew
        jmp     screen_text

; What STOP does, at its place. Clobbers A, X, Y, ptr, tmp.
key_stop:
        lda     #STOP_AT
        jsr     screen_pad
        lda     turn
        bne     @turn
        ldax    msg_key_leave
        jmp     screen_text
@turn:  ldax    msg_key_cancel
        jmp     screen_text

; Draws two rows of help at the bottom, in the editor's place.
; In: A/X = texts, one behind the other. Clobbers A, X, Y.
hint_rows:
        sta     ptr
        stx     ptr+1
        ldx     #ROW_EDIT
@row:   txa
        pha
        ldy     #0
        lda     #ROLE_EDIT
        jsr     screen_at
        lda     ptr
        ldx     ptr+1
        jsr     screen_text     ; X: its length
        txa
        pha
        jsr     screen_rest
        pla
        sec
        adc     ptr             ; past the 0
        sta     ptr
        bcc     @same
        inc     ptr+1
@same:  pla
        tax
        inx
        cpx     #ROW_EDIT + EDIT_ROWS
        bcc     @row
        rts
