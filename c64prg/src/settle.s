; What a cut line leaves open in a turn, and how a reconnect settles it.
.include "p64.inc"

.code
; ReconnectState: what the bridge knows, before the replay. Clobbers A, X.
turn_replay:
        lda     state_active
        sta     prompt_taken
        lda     state_latest    ; newer than what we have seen?
        sec
        sbc     applied
        tax
        lda     state_latest+1
        sbc     applied+1
        bmi     @known
        stx     tmp
        ora     tmp
        beq     @known
        sta     prompt_taken
@known: lda     state_active
        beq     @idle
        lda     turn
        bne     @idle
        lda     prompt_open     ; a lease that was taken up is in a turn
        bne     @idle
        lda     #TURN_RUNS
        sta     turn
        jsr     turn_sign
@idle:  rts

; ReconnectDone: settles what the cut left open. What the replay answered is
; closed already. Clobbers A, X, Y.
turn_settle:
        lda     prompt_open
        cmp     #OPEN_SENT
        bne     @cancel
        lda     prompt_taken
        beq     @again
        lda     #OPEN_NONE
        sta     prompt_open
        lda     #TURN_RUNS
        sta     turn
        bne     @cancel         ; always
@again: lda     #OPEN_WANT
        sta     prompt_open
@cancel:
        lda     cancel_open
        beq     @decide
        ldx     #OPEN_WANT
        lda     state_active
        bne     @set
        ldx     #OPEN_NONE
@set:   stx     cancel_open
@decide:
        lda     decision_open
        beq     @release
        lda     #OPEN_WANT
        sta     decision_open
@release:
        lda     release_open
        beq     @over
        lda     #OPEN_WANT
        sta     release_open
@over:  lda     state_active
        bne     @done
        lda     prompt_open
        bne     @done
        lda     turn
        beq     @done
        jsr     turn_end        ; it ended, and the frames are gone
@done:  jmp     status_change

; The line is gone for good: an unsent or unacknowledged prompt goes back to
; the editor. Clobbers A, X, Y.
turn_lost:
        lda     prompt_open
        beq     @none
        jsr     prompt_back
@none:  lda     #0
        sta     unsent
        sta     prompt_open
        sta     release_open
        jmp     turn_end

; Puts the prompt that was refused back, unless the user is writing another;
; recall has it in either case. Clobbers A, X, Y.
prompt_back:
        lda     #OPEN_NONE
        sta     prompt_open
        lda     edit_len
        ora     edit_len+1
        bne     @busy
        jmp     recall_take_newest
@busy:  rts
