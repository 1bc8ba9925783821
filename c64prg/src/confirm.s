; Questions that cover a view.
.include "p64.inc"

ROW_ASK = 8

.zeropage
confirm_what:   .res 1          ; ASK_...

.code
; Asks. In: A = ASK_... Clobbers A, X, Y.
confirm_ask:
        sta     confirm_what
        lda     #VIEW_CONFIRM
        jmp     view_cover

confirm_draw:
        ldx     #ROW_WIN
        lda     #ROW_STATUS
        jsr     screen_clear
        ldx     confirm_what
        lda     ask_low,x
        sta     ptr
        lda     ask_high,x
        sta     ptr+1
        lda     #ROW_ASK
        sta     tmp3
        lda     #ROLE_HEAD
        jsr     paragraph
        ldx     confirm_what
        lda     tell_low,x
        sta     ptr
        lda     tell_high,x
        sta     ptr+1
        inc     tmp3
        lda     #ROLE_AGENT
        jsr     paragraph
        ldax    msg_confirm_keys
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
@yes:   lda     confirm_what
        bne     @sessions
        lda     link_state
        cmp     #LINK_ON
        bne     @gone           ; nobody to tell: the lease runs out by itself
        lda     #OPEN_WANT
        sta     release_open
        bne     @wait           ; always
@gone:  jmp     session_left
@sessions:
        jsr     sessions_go
@wait:  jsr     status_change
        jmp     view_uncover

confirm_frame:
        rts

.rodata
.define ASKS msg_leave, msg_switch
ask_low:        .lobytes ASKS
ask_high:       .hibytes ASKS
.define TELLS msg_leave_what, msg_switch_what
tell_low:       .lobytes TELLS
tell_high:      .hibytes TELLS
