; The prompt editor: what the keys do to its text. layout.s shows it.
.include "p64.inc"

.segment "EDITBUF"
edit_buf:       .res PROMPT_MAX
        .assert PROMPT_MAX <= MAX_PAYLOAD_TO_BRIDGE, error, "a prompt fits in a frame"

.zeropage
edit_len:       .res 2
edit_cur:       .res 2          ; where the cursor stands

.code
; Empties the editor. Clobbers A.
edit_clear:
        lda     #0
        sta     recall_pos      ; cursor up begins with the newest prompt again
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
