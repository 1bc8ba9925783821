; The words of the status line.
.include "p64.inc"

STALL = 8                       ; seconds of silence without an activity

.code
; What to say. Clobbers A, X, Y.
status_words:
        lda     hint
        beq     @state
        tax
        lda     hint_low-1,x
        pha
        lda     hint_high-1,x
        tax
        pla
        jmp     screen_text
@state: lda     unsent
        bne     @unsent
        lda     link_state
        cmp     #LINK_SETUP
        bcs     @line
        lda     link_error
        bne     @error
@line:  lda     release_open
        bne     @leaving
        lda     cancel_open
        bne     @cancel
        lda     decision_open
        bne     @answer
        lda     ask_open
        bne     @you
        lda     prompt_open     ; once it is written, the agent is at it
        cmp     #OPEN_WANT
        beq     @sending
        lda     turn
        bne     @turn
        ldax    msg_ready
        jmp     screen_text
@unsent:
        ldax    msg_unsent
        jmp     screen_text
@error: ldx     link_error
        jmp     error_short
@leaving:
        ldax    msg_leaving
        jmp     screen_text
@cancel:
        ldax    msg_cancelling
        jmp     screen_text
@answer:
        ldax    msg_answering
        jmp     screen_text
@you:   ldax    msg_waiting
        jmp     screen_text
@sending:
        ldax    msg_sending
        jmp     screen_text

@turn:  lda     heard_secs
        sta     tmp3
        lda     running
        bne     @work
        lda     tmp3
        cmp     #STALL
        bcs     @stalled
        lda     turn_doing
        cmp     #DOING_THINK
        beq     @think
        ldax    msg_working
        jmp     screen_text
@think: ldax    msg_thinking
        jsr     screen_text
        lda     tmp3            ; a long thought shows that time passes
        cmp     #3
        bcc     @end
        lda     #' '
        jsr     screen_put
        lda     tmp3
        jsr     screen_byte
        lda     #'S'
        jmp     screen_put
@stalled:
        ldax    msg_stalled
        jsr     screen_text
        lda     tmp3
        jsr     screen_byte
        lda     #'S'
        jmp     screen_put
@work:  ldax    msg_working
        jsr     screen_text
        ldax    msg_colon
        jsr     screen_text
        ldax    label
        jsr     screen_text
        lda     tmp3            ; a long one shows that time passes
        cmp     #3
        bcc     @end
        lda     #LINE_COLS - 6
        jsr     screen_pad
        lda     #' '
        jsr     screen_put
        lda     tmp3
        jsr     screen_byte
        lda     #'S'
        jsr     screen_put
@end:   rts

.rodata
hint_low:       .lobytes msg_sound_off, msg_sound_on, msg_busy, msg_full, msg_detail, msg_line_needed, msg_path_long, error_text
hint_high:      .hibytes msg_sound_off, msg_sound_on, msg_busy, msg_full, msg_detail, msg_line_needed, msg_path_long, error_text
