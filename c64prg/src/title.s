; The title bar: program, provider, workspace, state of the link.
.include "p64.inc"

; Columns: the state's longest word is 8 long, a blank stands before each. The
; workspace has at least 8.
PROVIDER_COLS  = 11             ; at 10
STATE_AT       = 31

.zeropage
title_new:      .res 1          ; 1: draw it again

.bss
provider:       .res PROVIDER_COLS + 1
folder_len:     .res 1
folder:         .res MAX_ERROR_TEXT ; WorkspaceState's path
title_second:   .res 1          ; seconds that it shows

.code
; Takes a word of the STATUS tab. In: X = 0 provider, 1 workspace, Y = where the
; blank before it stands in the frame, src_end. Clobbers A, X, Y.
title_word:
        txa
        bne     folder_word
        tax
@provider:
        iny
        cpy     src_end
        bcs     @pend
        cpx     #PROVIDER_COLS
        bcs     @long
        lda     (rx_ptr),y
        sta     provider,x
        inx
        bne     @provider       ; always
@long:  ldx     #0              ; a version that is cut off would mislead
@first: lda     provider,x
        cmp     #' '
        beq     @pend
        inx
        cpx     #PROVIDER_COLS
        bcc     @first
@pend:  lda     #0
        sta     provider,x
        beq     title_new_one   ; always
; Takes the folder of a WorkspaceState. Clobbers A, X, Y.
title_folder:
        ldy     #HEADER_SIZE - 1
folder_word:
        ldx     #0
@next:  iny
        cpy     src_end
        bcs     @end
        lda     (rx_ptr),y
        sta     folder,x
        inx
        bne     @next           ; always: a frame's text is short
@end:   txa
        bne     @named
        lda     #'/'            ; the root has no name
        sta     folder
        inx
@named: stx     folder_len
title_new_one:
        lda     #1
        sta     title_new
        rts

; Once a frame: draws it if something in it has changed. Clobbers A, X, Y.
title_frame:
        lda     link_state
        cmp     #LINK_WAIT
        bne     @same
        jsr     wait_seconds
        cmp     title_second
        beq     @same
        inc     title_new
@same:  lda     title_new
        bne     title_draw
        rts

title_draw:
        lda     #ROLE_TITLE
        jsr     screen_bar
        ldax    msg_title
        jsr     screen_text
        ldax    provider
        jsr     screen_text
        lda     #STATE_AT - 2   ; what the provider leaves, with a blank before
        sec
        sbc     scr_x
        sta     tmp3
        cmp     folder_len
        bcc     @long
        lda     folder_len      ; a short one stands at the right
@long:  sta     tmp2
        lda     #STATE_AT - 1
        sec
        sbc     tmp2
        jsr     screen_pad
        ldax    folder
        ldy     folder_len
        jsr     screen_tail
        lda     #STATE_AT
        jsr     screen_pad
        ldx     link_state
        ldy     state_words,x
        cpy     #3
        bne     @word
        lda     link_way
        beq     @word
        iny
@word:  lda     word_low,y
        ldx     word_high,y
        jsr     screen_text
        lda     link_state
        cmp     #LINK_WAIT
        bne     @rest
        jsr     wait_seconds
        sta     title_second
        jsr     screen_byte
@rest:  lda     #0
        sta     title_new
        tax
        .assert ROW_TITLE = 0, error, "the title is the first row"
        jmp     screen_show

; Seconds until the next try, rounded up. Out: A. Clobbers X, Y, num.
wait_seconds:
        lda     retry_at
        clc
        adc     #SECOND - 1
        sta     num
        lda     retry_at+1
        adc     #0
        sta     num+1
        lda     num
        sec
        sbc     time
        sta     num
        lda     num+1
        sbc     time+1
        sta     num+1
        jmp     clock_seconds

; The link's state has changed. Clobbers A.
link_changed:
        lda     #1
        sta     title_new
        sta     connect_new
        sta     edit_new        ; its keys may be others
        jmp     status_change

.rodata
; off, held, wait, ten steps of dialling, closing, six of the greeting, on.
state_words:
        .byte   0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3
        .assert * - state_words = LINK_COUNT_ALL, error, "a word for each state"
word_low:       .lobytes msg_off_line, msg_wait, msg_dialling, msg_on_line, msg_serial
word_high:      .hibytes msg_off_line, msg_wait, msg_dialling, msg_on_line, msg_serial
