; The status line: what the agent or the line is doing, in one glance.
.include "p64.inc"

HINT_TIME = SECONDS(3)
MORE_AT   = LINE_COLS - 11      ; " 184 MORE" and its arrow
KEYS_AT   = 14

.zeropage
status_new:     .res 1          ; 1: draw it again
hint:           .res 1          ; HINT_..., shown for three seconds
hint_until:     .res 2

.code
; It is to be drawn again. Clobbers A.
status_change:
        lda     #1
        sta     status_new
        rts

; The transcript has been painted: how far it is scrolled back may differ.
; Clobbers A.
status_scroll:
        lda     ring_back
        bne     status_change
        rts

; Sound was switched. Clobbers A, X.
status_sound:
        lda     #HINT_SOUND_OFF
        ldx     sound_on
        beq     status_hint
        lda     #HINT_SOUND_ON
; Shows a hint for a while. In: A = HINT_... Clobbers A.
status_hint:
        sta     hint
        after   hint_until, HINT_TIME
        jmp     status_change

; Once a frame. Clobbers A, X, Y.
status_frame:
        lda     hint
        beq     @time
        passed  hint_until
        bcc     @time
        lda     #0
        sta     hint
        inc     status_new
@time:  lda     status_new
        bne     status_draw
        rts

status_draw:
        lda     view
        cmp     #VIEW_CONNECT
        bne     @chat
        rts
@chat:  lda     #0
        sta     status_new
        jsr     status_write
        ldx     #ROW_STATUS
        jmp     screen_show

; Writes it, to its end. Clobbers A, X, Y.
status_write:
        lda     #ROLE_STATUS
        jsr     screen_bar
        lda     #' '
        jsr     screen_put
        jsr     status_words
        lda     #LINE_COLS - 3
        ldx     scr_x           ; words that do not fit end in dots
        cpx     #LINE_COLS
        bcc     @fits
        sta     scr_x
        jsr     screen_dots
@fits:  lda     view
        cmp     #VIEW_CHAT
        bne     @views
        lda     ring_back
        bne     @scrolled
        lda     rows_full
        bne     @keys
        jmp     gauge_draw
@views:
        cmp     #VIEW_APPROVE
        beq     @approve
        cmp     #VIEW_DIFF
        bne     @end
        lda     diff_want
        jmp     @lines
@scrolled:
        lda     #MORE_AT
        cmp     scr_x           ; over a long label, if need be
        bcs     @pad
        sta     scr_x
@pad:   jsr     screen_pad
        lda     #' '
        jsr     screen_put
        lda     ring_back
        jsr     screen_byte
        ldax    msg_more
        jsr     screen_text
        lda     #CH_MORE
        jmp     screen_code
@approve:
        lda     ask_detail
@lines: cmp     #DETAIL_DONE
        beq     status_lines
@end:   rts

; The text takes the row that names the keys: they stand here, also over a long
; label; what is told for a moment is told first.
@keys:  lda     #KEYS_AT
        cmp     scr_x
        bcs     @room
        ldx     hint
        bne     @end
        ldx     link_state
        cpx     #LINK_SETUP
        bcc     @end
        sta     scr_x
@room:  jsr     screen_pad
        jsr     key_return
        jmp     key_stop

; "line 3/17" at the right. Clobbers A, X, Y.
status_lines:
        lda     #LINE_COLS - 14
        jsr     screen_pad
        lda     lines_count
        ora     lines_count+1
        beq     @none
        ldax    msg_line
        jsr     screen_text
        lda     lines_top
        clc
        adc     #1
        sta     num
        lda     lines_top+1
        adc     #0
        sta     num+1
        jsr     screen_num
        lda     #'/'
        jsr     screen_put
        mov16   num, lines_count
        jmp     screen_num
@none:  rts
