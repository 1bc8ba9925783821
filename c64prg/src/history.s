; What was said before, for a lease that is taken up after a restart.
.include "p64.inc"

.code
; In LINK_HISTORY: asks once. Out: as send_pick. Clobbers A, X, Y.
history_pick:
        lda     control_state
        bne     @wait
        lda     caps
        and     #<CAP_SESSIONS
        beq     @skip
        lda     #CONTROL_SENT
        sta     control_state
        jsr     chat_init
        lda     #FRAME_HISTORY_GET
        jmp     send_empty
@skip:  jsr     got_history_done ; this bridge has none
@wait:  sec
        rts

; HistoryText: flag starts an entry; speaker, text.
got_history:
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        pha
        ldy     #1
        lda     (rx_ptr),y
        and     #FLAG_START
        beq     @more
        jsr     block_end
        pla
        cmp     #SPEAKER_USER
        beq     @user
        lda     #ROLE_AGENT
        ldy     #0
        jsr     block_open
        jmp     @text
@user:  jsr     block_user
        jmp     @text
@more:  pla
@text:  ldx     #HEADER_SIZE + 1
        jmp     frame_text

; HistoryDone. A turn that still runs is not in it: another connection asks for
; all of its frames.
got_history_done:
        jsr     control_done
        lda     link_state
        cmp     #LINK_HISTORY
        bne     @none
        jsr     block_end
        lda     state_active
        bne     @turn
        lda     #TAKE_NONE
        sta     take_up
        mov16   safe_seq, applied
        jsr     record_save
        jsr     setup_again
        sta     link_state
@none:  rts
@turn:  lda     #TAKE_TURN
        sta     take_up
        lda     recall_count    ; its prompt is the newest that was sent
        beq     @unknown
        set16   ptr2, VIEW_BUF
        jsr     recall_newest
        sta     num
        stx     num+1
        set16   edit_ptr, VIEW_BUF
        jsr     block_prompt
@unknown:
        mov16   applied, safe_seq
        lda     #LINK_DIAL
        jmp     link_close
