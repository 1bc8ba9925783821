; The chat: transcript, status line, editor.
.include "p64.inc"

PAGE = WIN_ROWS - 1             ; a line of the page before stays

.code
chat_draw:
        jsr     paint_all
        jmp     prompt_show

chat_frame:
        jmp     prompt_frame

; In: A = key. Clobbers A, X, Y.
chat_key:
        cmp     #KEY_F7
        beq     @up
        cmp     #KEY_F8
        beq     @down
        cmp     #KEY_END
        beq     @end
        cmp     #KEY_STOP
        beq     @stop
        cmp     #KEY_RETURN
        beq     @return
        jsr     edit_key
        bcs     @none
        lda     unsent          ; a text that is changed is not on its way
        beq     @none
        lda     #0
        sta     unsent
        jmp     status_change
@none:  rts

@up:    lda     ring_count
        sec
        sbc     #WIN_ROWS
        bcc     @none           ; all of it is visible
        sta     tmp
        lda     ring_back
        clc
        adc     #PAGE
        bcs     @top
        cmp     tmp
        bcc     scroll_to
@top:   lda     tmp
        jmp     scroll_to
@down:  lda     ring_back
        sec
        sbc     #PAGE
        bcs     scroll_to
@end:   lda     #0
        beq     scroll_to       ; always

@stop:  lda     turn
        beq     @idle
        jmp     turn_cancel
@idle:  lda     #ASK_LEAVE
        jmp     confirm_ask

@return:
        lda     link_state
        cmp     #LINK_HELD      ; nothing is tried any more: begin anew
        beq     @anew
        jsr     link_again
        bcs     prompt_submit
        rts
@anew:  jmp     link_start

; Scrolls the transcript. In: A = lines back from its end. Clobbers A.
scroll_to:
        sta     ring_back
        lda     #PAINT_ALL
        sta     paint_want
        jmp     status_change

; RETURN: sends the prompt, or marks it to be sent. Clobbers A, X, Y.
prompt_submit:
        jsr     edit_said
        bcs     @none
        lda     link_state
        cmp     #LINK_ON
        beq     @on
        cmp     #LINK_SETUP     ; it goes out behind the setup
        bne     @later
@on:    lda     turn
        beq     prompt_send
        lda     #HINT_BUSY
        jmp     status_hint
@later: lda     #1
        sta     unsent
        sta     edit_new
        jmp     status_change
@none:  rts

; Sends the editor's text: it moves to the transcript and to recall.
; Clobbers A, X, Y.
prompt_send:
        lda     #0
        sta     ring_back
        jsr     recall_push
        mov16   num, edit_len
        set16   edit_ptr, EDIT_RAM
        jsr     block_prompt
        jsr     edit_clear
        jsr     turn_begin
        jmp     status_change
