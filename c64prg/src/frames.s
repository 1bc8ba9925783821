; Frames from the bridge. A frame is applied once all of it is there, in one go,
; and only if it is newer than what was applied.
.include "p64.inc"

.zeropage
applied:        .res 2          ; the last sequence that was applied

.bss
frame_vec:      .res 2
frame_type:     .res 1

.code
; Applies one whole frame, if there is one. Clobbers A, X, Y.
frames_serve:
        lda     rx_ready
        beq     @look
        rts
@look:  lda     rx_pos
        clc
        adc     #<RX_BUF
        sta     rx_ptr
        lda     rx_pos+1
        adc     #>RX_BUF
        sta     rx_ptr+1
        lda     rx_fill
        sec
        sbc     rx_pos
        sta     tmp             ; bytes there
        lda     rx_fill+1
        sbc     rx_pos+1
        sta     tmp2
        bne     @header
        lda     tmp
        cmp     #HEADER_SIZE
        bcc     rx_down
@header:
        ldy     #3
        lda     (rx_ptr),y
        bne     @bad
        dey
        lda     (rx_ptr),y
        cmp     #MAX_PAYLOAD_TO_C64 + 1
        bcs     @bad
        sta     rx_len
        clc
        adc     #HEADER_SIZE
        sta     src_end         ; for whoever looks for its last byte
        tax
        lda     tmp2
        bne     @whole
        cpx     tmp
        beq     @whole
        bcs     rx_down
@whole: txa
        clc
        adc     rx_pos
        sta     rx_pos
        bcc     @apply
        inc     rx_pos+1
@apply: jmp     frame_apply
@bad:   lda     #ERR_FRAME
        jmp     link_lost

; No whole frame is left: the rest moves to the start of the buffer, where the
; next READ goes on. In: rx_ptr, tmp = bytes, at most 95. Clobbers A, Y.
rx_down:
        ldy     #0
@copy:  cpy     tmp
        bcs     @done
        lda     (rx_ptr),y
        sta     RX_BUF,y
        iny
        bne     @copy
@done:  sty     rx_fill
        lda     #0
        sta     rx_fill+1
        sta     rx_pos
        sta     rx_pos+1
        lda     #1
        sta     rx_ready
        rts

; Applies the frame at rx_ptr. Clobbers A, X, Y.
frame_apply:
        jsr     beat_heard
        lda     link_state
        cmp     #LINK_ON
        beq     @on
        jsr     shake_on
@on:    ldy     #0
        lda     (rx_ptr),y
        sta     frame_type
        cmp     #FRAME_ERROR
        beq     @error
        cmp     #FRAME_HEARTBEAT_ACK
        beq     @ack
        ldx     #0
        stx     slow_quiet      ; something happens: READs may wait for more
        cmp     #TYPES
        bcs     @ack            ; unknown: not for this version
        tax
        lda     rx_len
        cmp     least,x
        bcc     @short
        lda     handler_low,x
        sta     frame_vec
        lda     handler_high,x
        sta     frame_vec+1
        lda     sequenced,x
        beq     @call
        jsr     sequence
        bcs     @ack
        lda     take_up
        cmp     #TAKE_HISTORY
        beq     @ack            ; the turn is shown by the next connection
        jsr     turn_heard
@call:  jmp     (frame_vec)
@error: jmp     got_error
@short: lda     #ERR_FRAME
        jmp     link_lost
@ack:   rts

; Is the frame newer? A signed distance: 65535 and 0 are neighbours.
; Out: carry clear: newer, and applied is its sequence; set: drop it.
; Clobbers A, Y, num.
sequence:
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        sec
        sbc     applied
        sta     num
        iny
        lda     (rx_ptr),y
        sbc     applied+1
        bmi     @old
        ora     num
        beq     @old
        lda     (rx_ptr),y
        sta     applied+1
        dey
        lda     (rx_ptr),y
        sta     applied
        clc
        rts
@old:   sec
frame_none:
        rts

.rodata
TYPES = $40
; By type: the routine, the payload's least length, whether it is sequenced.
.define ROW_0 frame_none, frame_none, got_hello_ok, frame_none, got_lease_state, frame_none, got_reconnect_state, got_reconnect_done, got_release, frame_none, frame_none, frame_none, frame_none, frame_none, frame_none, frame_none
.define ROW_1 frame_none, got_assistant, got_turn_done, got_reasoning, frame_none, got_turn_cancelled, got_approval, frame_none, got_activity, got_turn_failed, got_history, got_approval_ack, frame_none, frame_none, frame_none, frame_none
.define ROW_2 frame_none, frame_none, got_settings, frame_none, got_workspace, frame_none, got_session, got_session_list_done, frame_none, got_session_state, frame_none, got_access, frame_none, got_history_done, frame_none, frame_none
.define ROW_3 frame_none, got_dashboard, got_dashboard_done, frame_none, got_action, frame_none, got_diff_line, got_diff_done, frame_none, got_detail, got_detail_done, frame_none, got_folder, got_folders_done, frame_none, got_pair_state
handler_low:
        .lobytes ROW_0
        .lobytes ROW_1
        .lobytes ROW_2
        .lobytes ROW_3
handler_high:
        .hibytes ROW_0
        .hibytes ROW_1
        .hibytes ROW_2
        .hibytes ROW_3
least:  .byte   0, 0, 4, 0, 18, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .byte   0, 2, 2, 2, 0, 2, 3, 0, 3, 2, 1, 2, 0, 0, 0, 0
        .byte   0, 0, 2, 0, 0, 0, 2, 1, 0, 1, 0, 1, 0, 1, 0, 0
        .byte   0, 2, 2, 0, 0, 0, 1, 0, 0, 3, 3, 0, 1, 1, 0, 1
sequenced:
        .res    $11, 0
        .byte   1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1
        .res    TYPES - $1C, 0
        .assert handler_high - handler_low = TYPES, error, "a routine for each type"
        .assert sequenced - least = TYPES, error, "a length for each type"
        .assert * - sequenced = TYPES, error, "a mark for each type"
