; The approval's keys, and its rows on the screen.
.include "p64.inc"

ROW_SUMMARY  = ROW_WIN + 2
SUMMARY_ROWS = 3
ROW_DETAIL   = ROW_SUMMARY + SUMMARY_ROWS + 1
DETAIL_ROWS  = ROW_STATUS - ROW_DETAIL

.code
; In: A = key. Clobbers A, X, Y.
approve_key:
        ldx     #DETAIL_ROWS
        jsr     lines_key
        bcs     @answer
        jmp     detail_draw
@answer:
        pha
        passed  ask_dead
        pla
        bcc     @none
        ldx     decision_open   ; answered already
        bne     @none
        cmp     #KEY_FIRE
        bne     @key
        ldx     ask_choice      ; fire is the key of the answer that is chosen
        lda     answer_keys,x
        cpx     #1
        bne     @key
        pha                     ; a contact that bounces must not be S again
        after   ask_dead, MS(300)
        pla
@key:   ldx     ask_sure        ; S again, or whatever it is takes S back: no
        beq     @plain          ; answer may come from a key that meant that
        ora     #$20
        cmp     #'s'
        beq     @session
        lda     #0
        sta     ask_sure
        jmp     answers_draw
@plain: cmp     #KEY_STOP
        beq     @cancel
        ora     #$20            ; either case
        cmp     #'a'
        beq     @accept
        cmp     #'s'
        beq     @session
        cmp     #'d'
        beq     @decline
        cmp     #'c'
        beq     @cancel
        ldx     #1
        cmp     #KEY_JOYRIGHT | $20
        beq     @choose
        cmp     #KEY_JOYLEFT | $20
        bne     @none
        ldx     #ANSWERS - 1
@choose:
        txa
        clc
        adc     ask_choice
        and     #ANSWERS - 1
        sta     ask_choice
        jmp     answers_draw
@none:  rts

@early: lda     #HINT_DETAIL
        jmp     status_hint
@accept:
        ldx     ask_detail      ; nothing is accepted that was not shown
        cpx     #DETAIL_DONE
        bne     @early
        lda     #DECISION_ACCEPT_ONCE
        beq     decide          ; always
@session:
        ldx     ask_detail
        cpx     #DETAIL_DONE
        bne     @early
        lda     ask_sure
        bne     @sure
        inc     ask_sure
        jmp     answers_draw
@sure:  lda     #DECISION_ACCEPT_FOR_SESSION
        bne     decide          ; always
@decline:
        lda     #DECISION_DECLINE
        bne     decide          ; always
@cancel:
        lda     #DECISION_CANCEL_TURN
; In: A = decision.
decide: sta     decision
        lda     #OPEN_WANT
        sta     decision_open
        lda     #0
        sta     ask_sure
        jsr     answers_draw
        jmp     status_change

approve_draw:
        ldx     #ROW_WIN
        ldy     #0
        lda     #ROLE_HEAD
        jsr     screen_at
        ldax    msg_asks
        jsr     screen_text
        ldx     ask_kind
        beq     @command
        ldax    msg_file
        jmp     @kind
@command:
        ldax    msg_command
@kind:  jsr     screen_text
        jsr     screen_rest
        ldx     #ROW_WIN + 1
        jsr     screen_rule

        lda     #0              ; the summary, three rows
        sta     tmp3
@row:   lda     tmp3
        clc
        adc     #ROW_SUMMARY
        tax
        ldy     #0
        lda     #ROLE_AGENT
        jsr     screen_at
        lda     #' '
        jsr     screen_put
        ldy     tmp3
        ldx     summary_from,y
@char:  lda     ask_text,x
        beq     @rest
        jsr     screen_put
        inx
        txa
        ldy     tmp3
        cmp     summary_from+1,y
        bcc     @char
@rest:  jsr     screen_rest
        inc     tmp3
        lda     tmp3
        cmp     #SUMMARY_ROWS
        bcc     @row
        jsr     detail_draw
        jmp     answers_draw

; The rows of the detail, and how far it is scrolled. One that is not whole says
; so above its first row, before it can be accepted. Clobbers A, X, Y.
detail_draw:
        ldx     #ROW_DETAIL - 1
        jsr     screen_rule
        lda     ask_cut
        ora     lines_cut
        beq     @whole
        ldx     #ROW_DETAIL - 1
        ldy     #1
        lda     #ROLE_ERROR
        jsr     screen_at
        ldax    msg_cut
        jsr     screen_text
@whole:
        lda     #DETAIL_ROWS
        ldx     #ROW_DETAIL
        jsr     lines_draw
        jmp     status_change

; The last rows: what may be answered, or what happened to the answer.
; Clobbers A, X, Y.
answers_draw:
        lda     view
        cmp     #VIEW_APPROVE
        bne     @end
        lda     decision_open
        bne     @sent
        lda     ask_sure
        bne     @sure
        lda     ask_detail
        cmp     #DETAIL_DONE
        bne     @load
        ldax    msg_answers
        jsr     hint_rows
        ldx     ask_choice      ; reversed: what fire answers
        ldy     answer_rows,x
        lda     answer_cols,x
        pha
        tya
        tax
        pla
        tay
        lda     #ROLE_EDIT
        jsr     screen_at
        ldy     scr_x
@next:  lda     (scr),y
        ora     #$80
        sta     (scr),y
        iny
        lda     (scr),y         ; two blanks end it
        cmp     #CH_BLANK
        bne     @next
        iny
        lda     (scr),y
        dey
        cmp     #CH_BLANK
        bne     @next
        rts
@load:  ldax    msg_answers_load
        jmp     hint_rows
@sure:  ldax    msg_answers_sure
        jmp     hint_rows
@sent:  ldax    msg_answers_sent
        jmp     hint_rows
@end:   rts

.rodata
answer_keys:    .byte   "asdc"
ANSWERS = * - answer_keys
answer_rows:    .byte   ROW_EDIT, ROW_EDIT, ROW_EDIT + 1, ROW_EDIT + 1
answer_cols:    .byte   1, 20, 1, 20
summary_from:
        .byte   0, 39, 78, 117
