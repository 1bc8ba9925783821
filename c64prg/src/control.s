; Control requests, one open at a time, and their replies.
.include "p64.inc"

.zeropage
control_state:  .res 1          ; CONTROL_...
control_type:   .res 1          ; the request's frame type
control_arg:    .res 1          ; its byte, where it has one

.bss
control_vec:    .res 2

.code
; Wants a request sent. Only while control_state is CONTROL_NONE.
; In: A = frame type. Clobbers A.
control_ask:
        sta     control_type
        lda     #CONTROL_WANT
        sta     control_state
        rts

; Builds the request that is wanted. Out: carry clear. Clobbers A, X, Y.
control_send:
        lda     control_type
        ldx     #REQUESTS - 1
@look:  cmp     requests,x
        beq     @found
        dex
        bpl     @look
        jmp     send_empty
@found: ldy     build_low,x
        sty     control_vec
        ldy     build_high,x
        sty     control_vec+1
        jmp     (control_vec)

; A request with one byte. In: A = type.
send_arg:
        ldx     control_arg
        stx     TX_BUF + HEADER_SIZE
        ldx     #SEND_OTHER
        ldy     #1
        jmp     send_frame

; A request with the path that is looked at. In: A = type.
send_path:
        pha
        ldx     path_len
@copy:  lda     path,x
        sta     TX_BUF + HEADER_SIZE,x
        dex
        bpl     @copy
        pla
        ldx     #SEND_OTHER
        ldy     path_len
        jmp     send_frame

send_detail:
        lda     ask_seq
        sta     TX_BUF + HEADER_SIZE
        lda     ask_seq+1
        sta     TX_BUF + HEADER_SIZE + 1
        lda     #FRAME_APPROVAL_DETAIL_GET
        ldx     #SEND_OTHER
        ldy     #2
        jmp     send_frame

; The request has been answered. Clobbers A.
control_done:
        lda     #CONTROL_NONE
        sta     control_state
        rts

; The line is cut: nothing will be answered. What a view waits for is asked for
; again, and so is a setting told again. Clobbers A.
control_lost:
        lda     control_state
        beq     @views
        lda     control_type
        cmp     #FRAME_SETTINGS_SET
        beq     @settings
        cmp     #FRAME_ACCESS_SET
        bne     @views
        lda     #SET_ACCESS
        .byte   $2C             ; BIT abs: skips the next
@settings:
        lda     #SET_SETTINGS
        ora     set_want
        sta     set_want
@views: jsr     control_done
        jsr     list_lost
        jsr     diff_lost
        jmp     approve_lost

; The bridge's values, unless the user has changed them since.
got_settings:
        lda     set_want
        and     #SET_SETTINGS
        bne     control_done
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        sta     reasoning
        iny
        lda     (rx_ptr),y
        sta     display
        jmp     control_done

got_access:
        lda     set_want
        and     #SET_ACCESS
        bne     control_done
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        sta     access
        jmp     control_done

got_dashboard_done:
        jsr     control_done
        jsr     setup_done
        jmp     list_done

; DashboardEntry: tab, row, data. Four rows of STATUS are looked at in any
; case: the title bar shows two, the third is the access of a fresh lease, and
; CONTEXT is the gauge.
got_dashboard:
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        pha
        bne     @row            ; TAB_STATUS is 0
        jsr     status_row
@row:   pla
        ldx     list_load
        beq     @none
        cmp     dash_tab
        bne     @none
        ldy     #HEADER_SIZE + 2
        jmp     dash_row
@none:  rts

status_row:
        ldy     #HEADER_SIZE + 1
        lda     (rx_ptr),y
        tax                     ; 0 provider, 1 workspace, 2 access
        cpx     #3
        bcc     @known_row
        iny                     ; one below them: CONTEXT
        lda     (rx_ptr),y
        cmp     #'C'
        bne     @none
        iny
        lda     (rx_ptr),y
        cmp     #'O'
        bne     @none
        ldx     #3
@known_row:
@label: iny
        cpy     src_end
        bcs     @none
        lda     (rx_ptr),y
        cmp     #':'
        bne     @label
        iny
        cpx     #2
        beq     @access
        bcs     @gauge
        jmp     title_word
@gauge: jmp     gauge_word
@access:
        lda     user_set
        and     #SET_ACCESS
        bne     @none
        iny
        iny                     ; the second letter tells them apart
        lda     (rx_ptr),y
        ldx     #ACCESS_AUTO_REVIEW
@word:  cmp     seconds_of,x
        beq     @known
        dex
        bpl     @word
        rts
@known: stx     access
@none:  rts

.rodata
seconds_of:     .byte "esu"     ; Read Only, Ask Me to Approve, Auto Review
requests:       .byte FRAME_SETTINGS_SET, FRAME_ACCESS_SET, FRAME_WORKSPACE_SET
                .byte FRAME_WORKSPACE_LIST_GET, FRAME_SESSION_SELECT
                .byte FRAME_DASHBOARD_GET, FRAME_ACTION_GET, FRAME_DIFF_GET
                .byte FRAME_APPROVAL_DETAIL_GET
REQUESTS        = * - requests
.define BUILDERS send_settings, send_access, send_path, send_path, send_arg, send_arg, send_arg, send_arg, send_detail
build_low:      .lobytes BUILDERS
build_high:     .hibytes BUILDERS
        .assert build_high - build_low = REQUESTS, error, "a builder for each"
        .assert TAB_STATUS = 0, error, "STATUS first"
