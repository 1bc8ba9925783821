; The dashboard: four tabs of rows. A change opens its diff, an action goes to
; the editor.
.include "p64.inc"

ROW_TABS = ROW_WIN

.zeropage
dash_tab:       .res 1

.code
; Opens the dashboard, or its next tab. Clobbers A, X, Y.
dash_open:
        lda     #0
        sta     diff_step
        lda     view
        cmp     #VIEW_DASH
        beq     dash_next
        lda     #0
        sta     list_sel
        lda     #VIEW_DASH
        jmp     view_open

dash_next:
        lda     dash_tab
        clc
        adc     #1
; In: A = tab. Clobbers A, X, Y.
dash_turn:
        and     #3
        sta     dash_tab
        lda     #0
        sta     list_sel
dash_draw:
        jsr     list_ask
        ldx     #ROW_TABS
        ldy     #0
        lda     #ROLE_HINT
        jsr     screen_at
        lda     #0
        sta     list_row
@tab:   ldx     #' '
        ldy     #ROLE_HINT
        lda     list_row
        cmp     dash_tab
        bne     @other
        ldx     #'['
        ldy     #ROLE_HEAD
@other: tya
        jsr     screen_role
        txa
        jsr     screen_put
        ldx     list_row
        lda     tab_low,x
        pha
        lda     tab_high,x
        tax
        pla
        jsr     screen_text
        ldx     #' '
        lda     list_row
        cmp     dash_tab
        bne     @close
        ldx     #']'
@close: txa
        jsr     screen_put
        inc     list_row
        lda     list_row
        cmp     #4
        bcc     @tab
        jsr     screen_rest
        ldx     #ROW_TABS + 1
        jsr     screen_rule
        ldax    msg_dash_keys
        jsr     hint_rows
        jmp     list_draw

; In: A = key. Clobbers A, X, Y.
dash_key:
        ldx     diff_step       ; on the way to a file's diff
        beq     @list
        cmp     #'n'            ; and to the one behind it
        beq     dash_skip
        ldx     #0              ; any other key stays here
        stx     diff_step
@list:  cmp     #KEY_RIGHT
        beq     @right
        cmp     #KEY_LEFT
        beq     @left
        cmp     #KEY_RETURN
        beq     @open
        cmp     #'r'
        beq     @again
        jmp     list_key
@right: jmp     dash_next
@again: jmp     dash_draw
@left:  lda     dash_tab
        sec
        sbc     #1
        jmp     dash_turn
@open:  lda     list_load       ; a list that is half there is waited for
        ora     list_want
        bne     @later
        jsr     list_chosen
        bcs     @none
        ldx     dash_tab
        cpx     #TAB_CHANGES
        beq     @change
        cpx     #TAB_ACTIONS
        bne     @none
        ldx     control_state
        bne     @none
        sta     control_arg
        lda     #FRAME_ACTION_GET
        jmp     control_ask
@change:
        jsr     diff_take
        bcs     @none
        lda     #VIEW_DIFF
        jmp     view_open
@later: sta     diff_step
@none:  rts

; N while the list is coming for another N. Clobbers X.
dash_skip:
        ldx     list_sel
        inx
        cpx     diff_rows
        bcs     @end
        stx     list_sel
@end:   rts

dash_frame:
        lda     #<CAP_DASHBOARD
        jsr     list_serve
        bcs     @draw
        lda     dash_tab
        sta     control_arg
        lda     #FRAME_DASHBOARD_GET
        jsr     control_ask
@draw:  lda     diff_step       ; what was chosen is opened
        beq     @show
        lda     list_load
        ora     list_want
        bne     @show
        sta     diff_step
        lda     #KEY_RETURN
        jmp     dash_key
@show:  jmp     list_show

; ActionText: into the editor, for the user to send or change. A draft that
; stands there goes to the recalled prompts: cursor up brings it back.
got_action:
        jsr     control_done
        lda     edit_len
        ora     edit_len+1
        beq     @empty
        jsr     recall_push
@empty: jsr     edit_clear
        ldx     #HEADER_SIZE
@next:  cpx     src_end
        bcs     @done
        txa
        pha
        tay
        lda     (rx_ptr),y
        jsr     edit_insert
        pla
        tax
        inx
        bne     @next           ; always
@done:  lda     #VIEW_CHAT
        jmp     view_open

.rodata
.define TABS msg_tab_status, msg_tab_activity, msg_tab_changes, msg_tab_actions
tab_low:        .lobytes TABS
tab_high:       .hibytes TABS
