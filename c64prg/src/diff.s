; The diff of a change.
.include "p64.inc"

ROW_HEAD  = ROW_WIN
ROW_LINES = ROW_WIN + 2
DIFF_ROWS = ROW_STATUS - ROW_LINES
NAME_COLS = 29

.zeropage
diff_want:      .res 1          ; DETAIL_..., as an approval's
diff_new:       .res 1          ; 1: lines have come that are not drawn
diff_row:       .res 1          ; its row in the list
diff_rows:      .res 1          ; rows of the list
diff_step:      .res 1          ; not 0: open the chosen row once the list is there

.bss
diff_index:     .res 1          ; the change's index
diff_name:      .res 40         ; as the list had it

.code
; Takes the chosen change. Out: carry set: it cannot be opened.
; Clobbers A, X, Y, ptr2.
diff_take:
        jsr     list_chosen
        bcs     @no
        cmp     #MAX_ROWS       ; "... 22 MORE" is no file
        bcs     @no
        sta     diff_index
        ldy     #14             ; past state and counts
        ldx     #0
@copy:  lda     (ptr2),y
        sta     diff_name,x
        beq     @end
        iny
        inx
        cpx     #NAME_COLS
        bcc     @copy
        lda     #0
        sta     diff_name,x
@end:   lda     list_sel
        sta     diff_row
        lda     list_count
        sta     diff_rows
        clc
@no:    rts

diff_draw:
        jsr     lines_clear
        lda     #DETAIL_WANT
        sta     diff_want
        ldx     #ROW_HEAD
        ldy     #0
        lda     #ROLE_HEAD
        jsr     screen_at
        lda     #' '
        jsr     screen_put
        ldax    diff_name
        jsr     screen_text
        lda     #LINE_COLS - 8
        jsr     screen_pad
        ldx     diff_row
        inx
        txa
        jsr     screen_byte
        ldax    msg_of
        jsr     screen_text
        lda     diff_rows
        jsr     screen_byte
        jsr     screen_rest
        ldx     #ROW_HEAD + 1
        jsr     screen_rule
        ldax    msg_diff_keys
        jsr     hint_rows
        jmp     diff_lines

diff_lines:
        lda     #0
        sta     diff_new
        lda     #DIFF_ROWS
        ldx     #ROW_LINES
        jsr     lines_draw
        jmp     status_change

; In: A = key. Clobbers A, X, Y.
diff_key:
        ldx     #DIFF_ROWS
        jsr     lines_key
        bcc     diff_lines
        cmp     #'n'
        beq     @next
        cmp     #KEY_STOP
        bne     @none
        lda     #VIEW_DASH
        jmp     view_open
@next:  ldx     diff_row
        inx
        cpx     diff_rows
        bcs     @none
        stx     list_sel
        lda     #1              ; the list has given its memory to the diff
        sta     diff_step
        lda     #VIEW_DASH
        jmp     view_open
@none:  rts

diff_frame:
        lda     diff_new
        beq     @want
        lda     rx_ready
        beq     @want
        jsr     diff_lines
@want:  lda     diff_want
        cmp     #DETAIL_WANT
        bne     @none
        lda     link_state
        cmp     #LINK_ON
        bne     @none
        lda     control_state
        bne     @none
        lda     #DETAIL_LOAD
        sta     diff_want
        lda     diff_index
        sta     control_arg
        lda     #FRAME_DIFF_GET
        jmp     control_ask
@none:  rts

; DiffLine: kind, text.
got_diff_line:
        lda     diff_want
        cmp     #DETAIL_LOAD
        bne     @drop
        lda     view
        cmp     #VIEW_DIFF
        bne     @drop
        ldy     #1
        lda     (rx_ptr),y
        and     #FLAG_START
        beq     @more
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        and     #3
        tax
        lda     kind_roles,x
        jsr     lines_begin
@more:  ldx     #HEADER_SIZE + 1
        jsr     lines_frame
        lda     #1
        sta     diff_new
@drop:  rts

got_diff_done:
        jsr     control_done
        lda     diff_want
        cmp     #DETAIL_LOAD
        bne     diff_other
diff_end:
        lda     #DETAIL_DONE
        sta     diff_want
        lda     #1
        sta     diff_new
diff_other:
        rts

; The line was cut while it came. Clobbers A.
diff_lost:
        lda     diff_want
        cmp     #DETAIL_LOAD
        bne     @none
        lda     view
        cmp     #VIEW_DIFF
        bne     @none
        lda     #DETAIL_WANT
        sta     diff_want
        jmp     lines_clear
@none:  rts
