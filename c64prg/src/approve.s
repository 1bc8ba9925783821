; The approval's window: what the agent asks, in full, and the four answers.
.include "p64.inc"

DEAD_TIME   = MS(500)           ; keys typed before it appeared are no answer
REMIND      = SECONDS(20)
SUMMARY_AT  = HEADER_SIZE + 3
DETAIL_AT   = HEADER_SIZE + 3

.zeropage
ask_open:       .res 1          ; 1: an approval waits
ask_seq:        .res 2          ; the request's sequence: its name
ask_detail:     .res 1          ; DETAIL_...
ask_sure:       .res 1          ; 1: S was pressed once
ask_choice:     .res 1          ; answer that the joystick has chosen, A S D C
ask_dead:       .res 2          ; until then keys are not taken
decision_open:  .res 1          ; OPEN_...
ask_cut:        .res 1          ; 1: the bridge has cut the detail
ask_draw:       .res 1          ; 1: lines have come that are not drawn

.bss
ask_kind:       .res 1
ask_text:       .res MAX_SUMMARY + 1
ask_remind:     .res 2
decision:       .res 1

.code
; ApprovalRequest: sequence, kind, summary.
got_approval:
        lda     applied
        sta     ask_seq
        lda     applied+1
        sta     ask_seq+1
        ldy     #HEADER_SIZE + 2
        lda     (rx_ptr),y
        sta     ask_kind
        lda     #0              ; rows behind a short summary are empty
        ldx     #MAX_SUMMARY
@clear: sta     ask_text,x
        dex
        bpl     @clear
        inx
        ldy     #SUMMARY_AT
@copy:  cpy     src_end
        bcs     @end
        lda     (rx_ptr),y
        sta     ask_text,x
        iny
        inx
        bne     @copy           ; always
@end:   lda     #0
        sta     ask_sure
        sta     ask_choice
        sta     decision_open
        sta     ask_draw
        sta     ask_cut
        jsr     lines_clear
        lda     #1
        sta     ask_open
        sta     alarm
        ldx     #DETAIL_WANT
        lda     caps+1
        and     #>CAP_APPROVAL_DETAIL
        bne     @detail
        ldx     #DETAIL_DONE    ; this bridge has none
@detail:
        stx     ask_detail
        after   ask_dead, DEAD_TIME
        jsr     scheme_border
        jsr     approve_sound
        lda     #VIEW_APPROVE
        jmp     view_cover

approve_sound:
        after   ask_remind, REMIND
        lda     #TUNE_APPROVAL
        jmp     sound_start

; ApprovalAck: the decision was taken, or the request went away.
got_approval_ack:
        lda     #OPEN_NONE
        sta     decision_open
        jsr     approve_close
        jmp     status_change

; Takes the window away. Clobbers A, X, Y.
approve_close:
        lda     ask_open
        beq     @none
        lda     #0
        sta     ask_open
        sta     ask_detail
        sta     alarm
        jsr     scheme_border
        lda     view
        cmp     #VIEW_APPROVE
        bne     @none
        jmp     view_uncover
@none:  rts

; ApprovalDetailLine: sequence of the request, kind, text.
got_detail:
        jsr     detail_ours
        bne     @drop
        ldy     #1
        lda     (rx_ptr),y
        and     #FLAG_START
        beq     @more
        ldy     #HEADER_SIZE + 2
        lda     (rx_ptr),y
        and     #3
        tax
        lda     kind_roles,x
        jsr     lines_begin
        cpx     #LINE_METADATA
        bne     @more
        ldx     #2              ; "... N MORE LINES": the bridge has cut it
        ldy     #DETAIL_AT
@dots:  lda     (rx_ptr),y
        cmp     #'.'
        bne     @more
        iny
        dex
        bpl     @dots
        inc     ask_cut
@more:  ldx     #DETAIL_AT
        jsr     lines_frame
        lda     #1
        sta     ask_draw
@drop:  rts

; ApprovalDetailDone.
got_detail_done:
        jsr     control_done
        jsr     detail_ours
        bne     @drop
        lda     #DETAIL_DONE
        sta     ask_detail
        lda     #1
        sta     ask_draw
@drop:  rts

; Is the frame about the request that is shown? Out: Z set: it is.
; Clobbers A, Y.
detail_ours:
        lda     ask_detail
        cmp     #DETAIL_LOAD
        bne     @end
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        cmp     ask_seq
        bne     @end
        iny
        lda     (rx_ptr),y
        cmp     ask_seq+1
@end:   rts

; The line was cut while the detail came: it is asked for again. Clobbers A.
approve_lost:
        lda     ask_detail
        cmp     #DETAIL_LOAD
        bne     @none
        lda     #DETAIL_WANT
        sta     ask_detail
        lda     #0
        sta     ask_cut
        jmp     lines_clear
@none:  rts

; The bridge does not know the request any more: a decision that was taken, or
; an approval that went away. What it is now comes as a frame of its own.
; Clobbers A.
approve_gone:
        lda     #OPEN_NONE
        sta     decision_open
        lda     ask_detail
        cmp     #DETAIL_DONE
        beq     @done
        lda     #DETAIL_DONE
        sta     ask_detail
        lda     #1
        sta     ask_draw
@done:  jmp     status_change

; Once a frame. Clobbers A, X, Y.
approve_frame:
        lda     ask_draw
        beq     @remind
        lda     rx_ready        ; once for all that has come
        beq     @remind
        lda     #0
        sta     ask_draw
        jsr     detail_draw
        jsr     answers_draw
@remind:
        lda     decision_open
        bne     @ask
        passed  ask_remind
        bcc     @ask
        jsr     approve_sound
@ask:   lda     ask_detail
        cmp     #DETAIL_WANT
        bne     @none
        lda     link_state
        cmp     #LINK_ON
        bne     @none
        lda     control_state
        bne     @none
        lda     #FRAME_APPROVAL_DETAIL_GET
        jsr     control_ask
        lda     #DETAIL_LOAD
        sta     ask_detail
        jmp     answers_draw
@none:  rts

.rodata
kind_roles:
        .byte   ROLE_AGENT, ROLE_ADD, ROLE_DELETE, ROLE_META
