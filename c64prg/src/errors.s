; Error frames: those that end a connection, those that refuse one thing.
.include "p64.inc"

.bss
error_text:     .res MAX_ERROR_TEXT + 1
error_len:      .res 1

.code
; One that ends the connection. In: Y = its number. Clobbers A, X, Y.
error_ends:
        lda     known_error,y
        cmp     #ERR_EXPIRED
        bne     @lost
        jmp     lease_expired
@lost:  jmp     link_lost

got_error:
        ldx     #0
        ldy     #HEADER_SIZE
@copy:  cpx     rx_len
        beq     @copied
        lda     (rx_ptr),y
        sta     error_text,x
        iny
        inx
        bne     @copy           ; always
@copied:
        stx     error_len
        lda     #0
        sta     error_text,x
        ldy     #KNOWN - 1
@known: jsr     error_is
        beq     error_ends
        dey
        bpl     @known
        lda     link_state
        cmp     #LINK_SETUP
        bcs     @one
        lda     #ERR_BRIDGE
        jmp     link_lost
@one:   cmp     #LINK_HISTORY
        bne     @refused
        jmp     got_history_done ; there is none: go on without
@refused:
        ldy     #PREFIX_PROMPT
        jsr     error_is
        beq     @prompt
        ldy     #PREFIX_APPROVAL
        jsr     error_is
        beq     @approval
        jsr     control_done
        lda     ask_detail      ; whatever the reason: it will not come
        cmp     #DETAIL_LOAD
        bne     @where
        jsr     approve_gone
@where: lda     view
        cmp     #VIEW_DASH      ; connect screen, chat, approval, question
        bcc     @show
        lda     list_load       ; a view tells it in the place of what it wanted
        beq     @diff
        sta     list_error
        jsr     list_done
        jmp     list_clear
@diff:  lda     diff_want
        cmp     #DETAIL_LOAD
        bne     @hint
        lda     #ROLE_ERROR
        jsr     lines_begin
        ldx     #HEADER_SIZE
        jsr     lines_frame
        jmp     diff_end
@hint:  lda     #HINT_ERROR
        jmp     status_hint
@show:  jsr     block_end
        lda     #ROLE_ERROR
        ldy     #2
        jsr     block_open
        ldax    msg_refused
        jsr     block_text
        ldax    error_text
        jsr     block_text
        jsr     block_end
        jmp     status_change
@prompt:
        lda     prompt_open
        beq     @show
        jsr     prompt_back
        lda     #TURN_IDLE
        sta     turn
        beq     @show           ; always
@approval:
        lda     control_state
        beq     @gone
        lda     control_type
        cmp     #FRAME_APPROVAL_DETAIL_GET
        bne     @gone
        jsr     control_done
@gone:  jmp     approve_gone
; The lease is gone. An open release is acknowledged by it; else the words and
; the transcript stay, and a key begins anew. Clobbers A, X, Y.
lease_expired:
        lda     release_open
        beq     @words
        jmp     session_left
@words: lda     #0
        sta     have_lease
        jsr     record_save
        jsr     turn_lost
        ldax    msg_expired
        ldy     #ROLE_ERROR
        jsr     block_note
        lda     #ERR_EXPIRED
        jsr     link_lost
        lda     view            ; the words are in the chat
        cmp     #VIEW_CONNECT
        beq     @there
        lda     #VIEW_CHAT
        jmp     view_open
@there: rts

; Is the error's text, or its beginning, the known one? In: Y = its number.
; Out: Z set: it is. Clobbers A, X, ptr; keeps Y.
error_is:
        lda     known_low,y
        sta     ptr
        lda     known_high,y
        sta     ptr+1
        lda     known_len,y
        cpy     #KNOWN
        bcs     @prefix
        cmp     error_len
        bne     @end
@prefix:
        sta     tmp
        sty     tmp2
        ldy     #0
@next:  lda     (ptr),y
        cmp     error_text,y
        bne     @other
        iny
        cpy     tmp
        bne     @next
@other: php
        ldy     tmp2
        plp
@end:   rts

.rodata
t_version:      .byte ERROR_VERSION
t_expired:      .byte ERROR_LEASE_EXPIRED
t_in_use:       .byte ERROR_LEASE_IN_USE
t_full:         .byte ERROR_BRIDGE_FULL
t_not_paired:   .byte ERROR_NOT_PAIRED
t_try_later:    .byte ERROR_TRY_LATER
t_prompt:       .byte ERROR_PROMPT_PREFIX
t_approval:     .byte ERROR_DECISION_WORD
.define TEXTS t_version, t_expired, t_in_use, t_full, t_not_paired, t_try_later, t_prompt, t_approval
known_low:      .lobytes TEXTS
known_high:     .hibytes TEXTS
known_len:      .byte ERROR_VERSION_LEN, ERROR_LEASE_EXPIRED_LEN
                .byte ERROR_LEASE_IN_USE_LEN, ERROR_BRIDGE_FULL_LEN
                .byte ERROR_NOT_PAIRED_LEN, ERROR_TRY_LATER_LEN
                .byte ERROR_PROMPT_PREFIX_LEN, ERROR_DECISION_WORD_LEN
known_error:    .byte ERR_VERSION, ERR_EXPIRED, ERR_IN_USE, ERR_FULL
                .byte ERR_NOT_PAIRED, ERR_TRY_LATER
KNOWN           = * - known_error
PREFIX_PROMPT   = KNOWN
PREFIX_APPROVAL = KNOWN + 1
