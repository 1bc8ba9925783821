; A turn: from the prompt to the frame that ends it, and what a cut line leaves
; open.
.include "p64.inc"

TEXT_AT = HEADER_SIZE + 2       ; text of a sequenced frame

.zeropage
turn:           .res 1          ; TURN_...
prompt_open:    .res 1          ; OPEN_...
cancel_open:    .res 1
release_open:   .res 1
unsent:         .res 1          ; 1: the editor's text waits for the line
heard_secs:     .res 1          ; seconds since the turn was heard of, 255 at most
heard_next:     .res 2          ; when it is a second more
turn_doing:     .res 1          ; DOING_...
prompt_taken:   .res 1          ; ReconnectState says that the prompt arrived

.code
; A prompt goes out: it is the newest recall. Clobbers A, X.
turn_begin:
        lda     #OPEN_WANT
        sta     prompt_open
        lda     #TURN_ASKED
        sta     turn
        lda     #DOING_THINK
        sta     turn_doing
        lda     #0
        sta     unsent
        jsr     turn_sign
        mov16   safe_seq, applied ; a restarted program asks from here
        jmp     record_save

; A sequenced frame: the prompt was taken, the turn runs. Clobbers A.
turn_heard:
        jsr     turn_sign
        lda     #OPEN_NONE
        sta     prompt_open
        lda     #TURN_RUNS
        sta     turn
        rts

; A sign of life. Clobbers A.
turn_sign:
        lda     heard_secs
        beq     @same
        jsr     status_change   ; its seconds show
@same:  lda     #0
        sta     heard_secs
        after   heard_next, SECOND
        rts

; Ends the turn; it settles whatever was open in it. Clobbers A, X, Y.
turn_end:
        inc     gauge_want      ; what it has used
        lda     #0
        sta     turn
        sta     cancel_open
        sta     decision_open
        sta     turn_doing
        jsr     activity_forget
        jsr     block_end
        jsr     approve_close
        jsr     edit_change     ; its hints name the keys of a turn
        jmp     status_change

got_turn_done:
        jsr     turn_end
        lda     #TUNE_DONE
        jmp     sound_start

got_turn_cancelled:
        jsr     turn_end
        ldax    msg_cancelled
        ldy     #ROLE_NOTE
        jmp     block_note

got_turn_failed:
        jsr     block_end
        lda     #ROLE_ERROR
        ldy     #2
        jsr     block_open
        ldax    msg_failed
        jsr     block_text
        jsr     turn_text
        jsr     turn_end
        lda     #TUNE_FAILED
        jmp     sound_start

; Appends the text of the frame that is applied. Clobbers A, X, Y.
turn_text:
        ldx     #TEXT_AT
; In: X = where the text begins.
frame_text:
        lda     rx_len
        clc
        adc     #HEADER_SIZE
        sta     src_end
        jmp     wrap_frame

got_assistant:
        lda     turn_doing
        cmp     #DOING_WRITE
        beq     @same
        lda     #DOING_WRITE
        sta     turn_doing
        jsr     status_change
@same:  lda     #ROLE_AGENT
        ldy     #0
        jsr     block_open
        jmp     turn_text

got_reasoning:
        lda     turn_doing
        cmp     #DOING_THINK
        beq     @same
        lda     #DOING_THINK
        sta     turn_doing
        jsr     status_change
@same:  lda     #ROLE_THINK
        ldy     #1
        jsr     block_open
        bcs     @more
        lda     #' '
        jsr     block_put
@more:  jmp     turn_text

; The user wants the turn to end. Clobbers A, X, Y.
turn_cancel:
        lda     turn
        beq     @none
        lda     cancel_open
        bne     @none
        lda     #OPEN_WANT
        sta     cancel_open
        jmp     status_change
@none:  rts

; Once a frame: counts the silence; a prompt that waited for the line goes out.
; Clobbers A, X, Y.
turn_frame:
        lda     turn
        beq     @sent
        passed  heard_next
        bcc     @sent
        after   heard_next, SECOND
        inc     heard_secs
        bne     @second
        dec     heard_secs
@second:
        jsr     status_change
@sent:
        lda     unsent
        beq     @none
        lda     link_state
        cmp     #LINK_ON
        bne     @none
        lda     turn
        bne     @none
        jmp     prompt_send
@none:  jmp     gauge_frame

; The bridge acknowledges the release: the lease is gone. Clobbers A, X, Y.
got_release:
        lda     release_open
        bne     session_left
        rts
session_left:
        lda     #0
        sta     have_lease
        jsr     record_save
        jsr     turn_lost
        lda     reopen
        beq     @leave
        jmp     sessions_left
@leave: jsr     link_stop
        lda     #VIEW_CONNECT
        jmp     view_open
