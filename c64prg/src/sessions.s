; The sessions of the workspace: a new one on top, then the newest first.
.include "p64.inc"

.zeropage
reopen:         .res 1          ; 1: the release is for the session list

.code
; F5: leaves the session for the list of a fresh lease. While that is set up
; still, the release goes out behind the setup. Clobbers A, X, Y.
sessions_open:
        lda     link_state
        cmp     #LINK_SETUP
        bcs     @on
        lda     #HINT_LINE
        jmp     status_hint
@on:    lda     view
        cmp     #VIEW_SESSIONS
        beq     @none
        lda     turn
        beq     sessions_go
        lda     #ASK_SESSIONS
        jmp     confirm_ask
@none:  rts

; Releases the lease; session_left goes on. Clobbers A.
sessions_go:
        lda     #1
        sta     reopen
        lda     #OPEN_WANT
        sta     release_open
        jmp     status_change

; The old lease is gone: a fresh one, and its list. Clobbers A, X, Y.
sessions_left:
        lda     #0
        sta     reopen
        sta     list_sel
        lda     #LINK_DIAL
        jsr     link_close
        lda     #VIEW_SESSIONS
        jmp     view_open

sessions_draw:
        jsr     list_ask
        ldx     #ROW_WIN
        ldy     #0
        lda     #ROLE_HEAD
        jsr     screen_at
        ldax    msg_sessions
        jsr     screen_text
        jsr     screen_rest
        ldx     #ROW_WIN + 1
        jsr     screen_rule
        ldax    msg_session_keys
        jsr     hint_rows
        jmp     list_draw

sessions_frame:
        lda     #<CAP_SESSIONS
        jsr     list_serve
        bcs     @draw
        lda     #SESSION_NEW
        ldx     #ROLE_HEAD
        jsr     list_begin
        ldax    msg_new_session
        jsr     list_text
        lda     #FRAME_SESSION_LIST_GET
        jsr     control_ask
@draw:  jmp     list_show

; In: A = key. Clobbers A, X, Y.
sessions_key:
        cmp     #KEY_RETURN
        beq     @choose
        cmp     #'w'
        beq     @folders
        jmp     list_key
@folders:
        jmp     folders_open
@choose:
        lda     control_state
        ora     list_load
        bne     @none
        jsr     list_chosen
        bcs     @none
        sta     control_arg
        jsr     chat_init
        lda     control_arg
        cmp     #SESSION_NEW
        beq     @new
        lda     #FRAME_SESSION_SELECT
        jmp     control_ask
@new:   ldax    msg_welcome
        ldy     #ROLE_NOTE
        jsr     block_note
        lda     #VIEW_CHAT
        jmp     view_open
@none:  rts

; SessionEntry: index, current, title.
got_session:
        lda     list_load
        beq     @none
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        ldx     #ROLE_AGENT
        jsr     list_begin
        ldx     #HEADER_SIZE + 2
        jmp     list_frame
@none:  rts

got_session_list_done:
        jsr     control_done
        jmp     list_done

; SessionState: the session is taken up; what was said in it comes next.
got_session_state:
        jsr     control_done
        lda     #FRAME_HISTORY_GET
        jsr     control_ask
        lda     #VIEW_CHAT
        jmp     view_open
