; Blocks of the transcript: what one speaker says, one below the other.
.include "p64.inc"

.zeropage
block_kind:     .res 1          ; role of the block that text goes on in, $FF none

.code
chat_init:
        lda     #ROLE_NOTE
        sta     block_role
        lda     #$FF
        sta     block_kind
        jmp     ring_init

; Ends a block: what follows begins a new line. Clobbers A.
block_end:
        lda     #$FF
        sta     block_kind
        rts

; Begins a block, or goes on with one of the same kind. A blank line stands
; between kinds; not between activities, which stand together.
; In: A = role, Y = column of wrapped lines. Out: carry set when it goes on.
; Clobbers A, X, Y.
block_open:
        cmp     block_kind
        beq     @same
        ldx     block_role
        stx     tmp2
        sta     block_kind
        sta     block_role
        sty     hang
        sty     indent
        ldx     ring_count
        dex
        bne     @more
        ldx     line_col
        beq     @here           ; the very first line
@more:  ldx     line_col
        beq     @role
        jsr     ring_line
@role:  lda     tmp2
        cmp     block_role
        bne     @gap
        lda     block_role
        cmp     #ROLE_ACTIVITY
        beq     @here
@gap:   jsr     block_above     ; is the line above empty already?
        beq     @here
        jsr     ring_line
@here:  ldx     ring_tail
        lda     block_role
        sta     ring_role,x
        lda     #0
        sta     soft
        sta     wrap_mode
        sta     line_col
        sta     word_col
        lda     #PAINT_ALL
        sta     paint_want
        clc
        rts
@same:  sec
        rts

; Is the line above the last one empty? Out: Z set: it is. Clobbers A, X, Y,
; ptr.
block_above:
        lda     #1
        jsr     ring_index
        lda     line_low,x
        sta     ptr
        lda     line_high,x
        sta     ptr+1
        ldy     #LINE_COLS - 1
@look:  lda     (ptr),y
        cmp     #CH_BLANK
        bne     @end
        dey
        bpl     @look
        lda     #0
@end:   rts

; Puts one character at the end of the last line. In: A = text byte.
; Clobbers A, Y.
block_put:
        tay
        lda     codes,y
        ldy     line_col
        sta     (line_ptr),y
        iny
        sty     line_col
        sty     word_col
        rts

; Appends a text of the program that ends with 0. In: A/X = text, A low.
; Clobbers A, X, Y, ptr.
block_text:
        sta     ptr
        stx     ptr+1
        ldy     #0
@end:   lda     (ptr),y
        beq     @have
        iny
        bne     @end
@have:  sty     src_end
        lda     ptr
        ldy     ptr+1
        ldx     #0
        jmp     wrap_text

; A line of its own with words of the program. In: A/X = text, Y = role.
; Clobbers A, X, Y.
block_note:
        pha
        txa
        pha
        tya
        pha
        jsr     block_end
        pla
        ldy     #0
        jsr     block_open
        pla
        tax
        pla
        jsr     block_text
        jmp     block_end

; Begins a block of the user's words. Clobbers A, X, Y.
.code
block_user:
        lda     #ROLE_USER
        ldy     #2
        jsr     block_open
        lda     #'>'
        jsr     block_put
        lda     #' '
        jmp     block_put

; A prompt as a block of its own. In: edit_ptr = its text, num = its length.
; Clobbers A, X, Y, edit_ptr, num, ptr2.
block_prompt:
        jsr     block_end
        jsr     block_user
@page:  ldx     #0              ; in pieces that one index reaches
        ldy     num
        lda     num+1
        beq     @last
        ldy     #$80
@last:  sty     src_end
        tya
        bne     @some
        jmp     block_end
@some:  lda     edit_ptr
        ldy     edit_ptr+1
        jsr     wrap_text
        lda     edit_ptr
        clc
        adc     src_end
        sta     edit_ptr
        bcc     @same
        inc     edit_ptr+1
@same:  lda     num
        sec
        sbc     src_end
        sta     num
        bcs     @page
        dec     num+1
        jmp     @page
