; The way to the bridge: the network, or a serial line at one of its speeds.
.include "p64.inc"

.code
; The next one: the line at each of its speeds, then the network. Only while
; nothing is connected. Clobbers A, X, Y.
way_next:
        jsr     acia_close
        ldx     baud
        lda     link_way
        eor     #1
        bne     @taken          ; from the network to the line
        lda     #1
        inx
        cpx     #BAUDS
        bcc     @taken
        lda     #0
        tax
@taken: stx     baud
        sta     link_way
        lda     #ERR_NONE
        sta     link_error
        lda     #LINK_OFF
        sta     link_state
        jsr     record_save
        jmp     connect_draw

; Writes which it is. Clobbers A, X, Y, num.
way_text:
        lda     link_way
        bne     @serial
        ldax    msg_f_uci
        jmp     screen_text
@serial:
        ldax    msg_f_serial
        jsr     screen_text
        ldx     baud
        lda     hundreds_low,x
        sta     num
        lda     hundreds_high,x
        sta     num+1
        jsr     screen_num
        ldax    msg_f_baud
        jmp     screen_text

.rodata
.define HUNDREDS 384, 192, 96, 48, 24, 576, 1152
hundreds_low:   .lobytes HUNDREDS
hundreds_high:  .hibytes HUNDREDS
        .assert hundreds_high - hundreds_low = BAUDS, error, "words for each speed"
