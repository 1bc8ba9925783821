; A question that covers the chat: leave the session?
.include "p64.inc"

ROW_ASK = 8

.code
confirm_draw:
        ldx     #ROW_WIN
        lda     #ROW_STATUS
        jsr     screen_clear
        ldx     #ROW_ASK
        lda     #ROLE_HEAD
        ldy     #0
        jsr     screen_at
        ldax    msg_leave
        jsr     screen_text
        ldx     #ROW_ASK + 2
        lda     #ROLE_AGENT
        ldy     #0
        jsr     screen_at
        ldax    msg_leave_what
        jsr     screen_text
        ldx     #ROW_ASK + 3
        lda     #ROLE_AGENT
        ldy     #0
        jsr     screen_at
        ldax    msg_leave_how
        jsr     screen_text
        ldax    msg_leave_keys
        jmp     hint_rows

; In: A = key. Clobbers A, X, Y.
confirm_key:
        ora     #$20
        cmp     #'y'
        beq     @yes
        cmp     #'n'
        beq     @no
        cmp     #KEY_STOP | $20
        beq     @no
        rts
@no:    jmp     view_uncover
@yes:   lda     link_state
        cmp     #LINK_ON
        bne     @gone           ; nobody to tell: the lease runs out by itself
        lda     #OPEN_WANT
        sta     release_open
        jsr     status_change
        jmp     view_uncover
@gone:  jmp     session_left

confirm_frame:
        rts
