; Rows of the dashboard's tabs.
.include "p64.inc"

PATH_COLS = 26                  ; what a change's state and counts leave

.code
; A row of the tab that is open. In: Y = where its data begins in the frame.
; Clobbers A, X, Y.
dash_row:
        sty     tmp3
        ldy     #HEADER_SIZE + 1
        lda     (rx_ptr),y
        ldx     dash_tab
        pha
        lda     tab_roles,x
        tax
        pla
        jsr     list_begin
        ldx     tmp3
        lda     dash_tab
        cmp     #TAB_ACTIVITY
        beq     @activity
        cmp     #TAB_CHANGES
        beq     @change
        jmp     list_frame

@activity:
        ldy     tmp3            ; lifecycle, label
        lda     (rx_ptr),y
        cmp     #ACTIVITY_FAILED + 1
        bcs     @none
        tax
        cmp     #ACTIVITY_FAILED
        bne     @mark
        lda     #ROLE_ERROR
        jsr     row_role
@mark:  lda     marks,x
        jsr     list_put
        lda     #' '
        jsr     list_put
        ldx     tmp3
        inx
        jmp     list_frame
@none:  rts

@change:
        ldy     tmp3            ; state, added, deleted, path
        lda     (rx_ptr),y
        pha
        jsr     list_put
        pla
        cmp     #'A'
        beq     @added
        cmp     #'D'
        bne     @counts
        lda     #ROLE_DELETE
        .byte   $2C             ; BIT abs: skips the next
@added: lda     #ROLE_ADD
        jsr     row_role
@counts:
        lda     #'+'
        ldx     #1
        jsr     count
        lda     #'-'
        ldx     #3
        jsr     count
        lda     #' '
        jsr     list_put
        lda     tmp3            ; the path, its tail if it is long
        clc
        adc     #5
        tax
        lda     src_end
        sec
        sbc     #PATH_COLS
        bcc     @path           ; the frame is shorter than that
        sta     tmp
        cpx     tmp
        bcs     @path
        ldx     #3
@dots:  lda     #'.'
        jsr     list_put
        dex
        bne     @dots
        lda     tmp
        clc
        adc     #3
        tax
@path:  jmp     list_frame

; The row gets another role. In: A. Keeps X. Clobbers A, Y, ptr2.
row_role:
        pha
        mov16   ptr2, list_ptr
        pla
        ldy     #1
        sta     (ptr2),y
        rts

; A count in five columns; blank for a binary file. In: A = sign, X = where it
; is behind tmp3. Clobbers A, X, Y, num.
count:  pha
        txa
        clc
        adc     tmp3
        tay
        lda     (rx_ptr),y
        sta     num
        iny
        lda     (rx_ptr),y
        sta     num+1
        and     num
        cmp     #$FF
        beq     @binary
        jsr     decimal
        stx     tmp             ; blanks, the sign, the digits
        cpx     #1
        bcs     @pad
        ldx     #1              ; five digits: no room for a blank
@pad:   dex
        beq     @sign
@blank: lda     #' '
        jsr     list_put
        dex
        bne     @blank
@sign:  pla
        jsr     list_put
        ldx     tmp
@digit: lda     digits,x
        jsr     list_put
        inx
        cpx     #5
        bcc     @digit
        rts
@binary:
        pla
        ldx     #5
@bin:   lda     #' '
        jsr     list_put
        dex
        bne     @bin
        rts

.rodata
tab_roles:      .byte ROLE_AGENT, ROLE_ACTIVITY, ROLE_AGENT, ROLE_USER
