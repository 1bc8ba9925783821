; The prompt editor: what the keys do to its text. layout.s shows it.
.include "p64.inc"

.segment "EDITBUF"
edit_buf:       .res PROMPT_MAX
        .assert PROMPT_MAX <= MAX_PAYLOAD_TO_BRIDGE, error, "a prompt fits in a frame"

.bss
edit_len:       .res 2
edit_cur:       .res 2          ; where the cursor stands

.code
; Empties the editor. Clobbers A.
edit_clear:
        lda     #0
        sta     edit_len
        sta     edit_len+1
        sta     edit_cur
        sta     edit_cur+1
        sta     edit_top
        sta     edit_top+1
        jmp     edit_change

; In: A = key. Out: carry clear: the text has changed; set: it has not.
; Clobbers A, X, Y.
edit_key:
        cmp     #KEY_NEWLINE
        beq     @insert
        cmp     #$20
        bcc     @control
        cmp     #$7F
        bcs     @control
@insert:
        jmp     edit_insert
@delete:
        jmp     edit_delete
@control:
        cmp     #KEY_DEL
        beq     @delete
        cmp     #KEY_LEFT
        beq     @left
        cmp     #KEY_RIGHT
        beq     @right
        cmp     #KEY_UP
        beq     @up
        cmp     #KEY_DOWN
        beq     @down
        cmp     #KEY_HOME
        beq     @home
        cmp     #KEY_CLR
        beq     @clear
        cmp     #KEY_INS
        bne     @none
        lda     #' '            ; a blank before the cursor, which stays
        jsr     edit_insert
        bcs     @none
@left:  lda     edit_cur
        ora     edit_cur+1
        beq     @none
        lda     edit_cur
        bne     @low
        dec     edit_cur+1
@low:   dec     edit_cur
        jmp     @moved
@right: lda     edit_cur
        cmp     edit_len
        lda     edit_cur+1
        sbc     edit_len+1
        bcs     @none
        inc     edit_cur
        bne     @moved
        inc     edit_cur+1
@moved: jsr     edit_change
@none:  sec
        rts
@up:    jsr     layout_up
        bcc     @moved
        jsr     recall_older
        sec
        rts
@down:  jsr     layout_down
        bcc     @moved
        jsr     recall_newer
        sec
        rts
@home:  lda     #0
        sta     edit_cur
        sta     edit_cur+1
        beq     @moved          ; always
@clear: jsr     edit_clear
        clc
        rts

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
        jsr     tail
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
@moved: jsr     tail
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
        jsr     tail
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
tail:   lda     edit_cur
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

; Is there anything but blanks in it? Out: carry clear: there is. Clobbers A, Y,
; ptr, num.
edit_said:
        lda     edit_len
        sta     num
        lda     edit_len+1
        sta     num+1
        set16   ptr, EDIT_RAM
        ldy     #0
@next:  lda     num
        ora     num+1
        beq     @none
        lda     (ptr),y
        cmp     #$21
        bcs     @some
        inc     ptr
        bne     @same
        inc     ptr+1
@same:  lda     num
        bne     @low
        dec     num+1
@low:   dec     num
        jmp     @next
@some:  clc
        rts
@none:  sec
        rts
