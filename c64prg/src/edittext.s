; Characters in and out of the editor's text.
.include "p64.inc"

.code
; Puts a character in at the cursor. In: A. Out: carry set: the editor is full.
; Clobbers A, X, Y. 16 cycles for each character that moves.
edit_insert:
        tax
        lda     edit_len
        cmp     #<PROMPT_MAX
        lda     edit_len+1
        sbc     #>PROMPT_MAX
        bcs     @full
        txa
        pha
        jsr     edit_tail
        lda     ptr
        clc
        adc     #1
        sta     ptr2
        lda     ptr+1
        adc     #0
        sta     ptr2+1
        ldx     num+1           ; from its end on
        txa
        clc
        adc     ptr+1
        sta     ptr+1
        txa
        clc
        adc     ptr2+1
        sta     ptr2+1
        ldy     num
        beq     @pages
@rest:  dey
        lda     (ptr),y
        sta     (ptr2),y
        tya
        bne     @rest
@pages: cpx     #0
        beq     @moved
@page:  dec     ptr+1
        dec     ptr2+1
        dey                     ; $FF
@byte:  lda     (ptr),y         ; 5
        sta     (ptr2),y        ; 6
        dey                     ; 2
        bne     @byte           ; 3
        lda     (ptr),y
        sta     (ptr2),y
        dex
        bne     @page
@moved: jsr     edit_tail
        pla
        ldy     #0
        sta     (ptr),y
        inc     edit_cur
        bne     @len
        inc     edit_cur+1
@len:   inc     edit_len
        bne     @done
        inc     edit_len+1
@done:  jsr     edit_change
        clc
        rts
@full:  lda     #HINT_FULL
        jsr     status_hint
        sec
        rts

; Takes the character before the cursor out. Out: carry set: there is none.
; Clobbers A, X, Y.
edit_delete:
        lda     edit_cur
        ora     edit_cur+1
        beq     @none
        jsr     edit_tail
        mov16   ptr2, ptr
        lda     ptr2
        bne     @low
        dec     ptr2+1
@low:   dec     ptr2
        ldy     #0
        ldx     num+1
        beq     @rest
@page:  lda     (ptr),y
        sta     (ptr2),y
        iny
        bne     @page
        inc     ptr+1
        inc     ptr2+1
        dex
        bne     @page
@rest:  cpy     num
        beq     @moved
        lda     (ptr),y
        sta     (ptr2),y
        iny
        bne     @rest           ; always
@moved: lda     edit_cur
        bne     @cur
        dec     edit_cur+1
@cur:   dec     edit_cur
        lda     edit_len
        bne     @len
        dec     edit_len+1
@len:   dec     edit_len
        jsr     edit_change
        clc
        rts
@none:  sec
        rts

; The text from the cursor on. Out: ptr = where, num = how much. Clobbers A.
edit_tail:   lda     edit_cur
        clc
        adc     #<EDIT_RAM
        sta     ptr
        lda     edit_cur+1
        adc     #>EDIT_RAM
        sta     ptr+1
        lda     edit_len
        sec
        sbc     edit_cur
        sta     num
        lda     edit_len+1
        sbc     edit_cur+1
        sta     num+1
        rts
