; Activities: a line each, marked * while it runs, + when it is done, ! when it
; failed. The end changes the mark of the line that began it.
.include "p64.inc"

LABEL_AT = HEADER_SIZE + 3
LABEL_MAX = 24                  ; what "WORKING: " and the seconds leave

.zeropage
act_sum:        .res 1
act_life:       .res 1
running:        .res 1          ; how many run

.bss
slot_line:      .res SLOTS      ; the line of the transcript, NO_LINE
act_slot_sum:   .res SLOTS      ; check sum of the label
act_line:       .res 1          ; line of the transcript that it is on
label:          .res LABEL_MAX + 1         ; of the last one that began, for the status line

.code
; Forgets what runs. Clobbers A, X.
activity_forget:
        lda     #NO_LINE
        ldx     #SLOTS - 1
@slot:  sta     slot_line,x
        dex
        bpl     @slot
        lda     #0
        sta     running
        sta     label
        rts

got_activity:
        jsr     label_sum
        ldy     #LABEL_AT - 1
        lda     (rx_ptr),y
        sta     act_life
        bne     @ended
        inc     running
        lda     #DOING_WORK
        sta     turn_doing
        jsr     label_keep
        lda     #'*'
        jsr     activity_line
        jsr     slot_free
        lda     act_line
        sta     slot_line,x
        lda     act_sum
        sta     act_slot_sum,x
        jmp     status_change
@ended: lda     running
        beq     @none
        dec     running
        bne     @none
        lda     #DOING_THINK
        sta     turn_doing
@none:  jsr     slot_find
        bcs     @new
        ldy     slot_line,x
        lda     #NO_LINE
        sta     slot_line,x
        lda     line_low,y
        sta     ptr
        lda     line_high,y
        sta     ptr+1
        ldx     act_life
        lda     marks,x
        pha
        lda     #ROLE_ERROR
        cpx     #ACTIVITY_FAILED
        bne     @mark
        sta     ring_role,y
@mark:  ldy     #0
        pla
        sta     (ptr),y
        lda     #PAINT_ALL
        sta     paint_want
        jmp     status_change
@new:   ldx     act_life
        lda     marks,x
        jsr     activity_line
        jmp     status_change

; A line with the frame's label. In: A = its mark. Out: act_line.
; Clobbers A, X, Y.
activity_line:
        pha
        jsr     block_end
        lda     #ROLE_ACTIVITY
        ldy     #2
        jsr     block_open
        lda     ring_tail
        sta     act_line
        pla
        jsr     block_put
        lda     #' '
        jsr     block_put
        ldx     #LABEL_AT
        jsr     frame_text
        jmp     block_end

; Out: act_sum. Clobbers A, Y.
label_sum:
        ldy     #LABEL_AT
        lda     #0
@next:  cpy     src_end
        bcs     @end
        asl
        adc     (rx_ptr),y
        iny
        bne     @next           ; always
@end:   sta     act_sum
        rts

; Keeps the label's beginning for the status line. In: src_end.
; Clobbers A, X, Y.
label_keep:
        ldy     #LABEL_AT
        ldx     #0
@next:  cpy     src_end
        bcs     @end
        lda     (rx_ptr),y
        sta     label,x
        iny
        inx
        cpx     #LABEL_MAX
        bcc     @next
        lda     #'.'            ; there is more
        sta     label + LABEL_MAX - 3
        sta     label + LABEL_MAX - 2
        sta     label + LABEL_MAX - 1
@end:   lda     #0
        sta     label,x
        rts

; A slot for a new activity. Out: X. Clobbers A.
slot_free:
        ldx     #SLOTS - 1
@look:  lda     slot_line,x
        cmp     #NO_LINE
        beq     @end
        dex
        bne     @look           ; the last one is taken if none is free
@end:   rts

; The slot of the activity that ends. Out: X, carry clear; set: none.
; Clobbers A.
slot_find:
        ldx     #SLOTS - 1
@look:  lda     slot_line,x
        cmp     #NO_LINE
        beq     @next
        lda     act_slot_sum,x
        cmp     act_sum
        clc
        beq     @end
@next:  dex
        bpl     @look
        sec
@end:   rts

.rodata
marks:  .byte   '*', '+', '!'
