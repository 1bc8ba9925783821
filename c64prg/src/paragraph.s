; Texts of several rows, and the words for the errors.
.include "p64.inc"

.code
; Writes a text, with a blank before each row. It breaks at a $0A, and at blanks
; where it is too long. In: ptr = text, tmp3 = first row, A = role. Out: tmp3 = the
; row behind it. Clobbers A, X, Y, ptr, tmp, tmp2.
paragraph:
        sta     tmp2
@row:   ldx     tmp3
        ldy     #1
        lda     tmp2
        jsr     screen_at
        inc     tmp3
        ldy     #LINE_COLS - 1  ; a word without end is cut
        sty     tmp
        ldy     #0
@look:  lda     (ptr),y
        beq     @cut
        cmp     #$0A
        beq     @cut
        cmp     #' '
        bne     @next
        sty     tmp
@next:  iny
        cpy     #LINE_COLS
        bcc     @look
        ldy     tmp
@cut:   sty     tmp
        ldx     #0
@put:   txa
        tay
        lda     (ptr),y
        cpx     tmp
        beq     @end
        jsr     screen_put
        inx
        bne     @put            ; always
@end:   pha                     ; what it is cut at: 0 ends the text
        jsr     screen_rest
        txa
        sec                     ; past that
        adc     ptr
        sta     ptr
        bcc     @same
        inc     ptr+1
@same:  pla
        bne     @row
        rts

; The words for an error, with what to do. In: A = error. Out: ptr.
; Clobbers A, X.
error_long:
        tax
        cmp     #ERR_BRIDGE
        bne     @ours
        set16   ptr, error_text
        rts
@ours:  lda     long_low,x
        sta     ptr
        lda     long_high,x
        sta     ptr+1
        rts

; Writes the words for an error in one line. In: X = error. Clobbers A, X, Y.
error_short:
        cpx     #ERR_BRIDGE
        bne     @ours
        ldax    error_text
        jmp     screen_text
@ours:  lda     short_low,x
        pha
        lda     short_high,x
        tax
        pla
        jmp     screen_text

.rodata
.define LONG_A msg_empty, long_off, long_stuck, long_network, long_dns, long_refused, long_answer, long_route
.define LONG_B long_socket, long_open, long_closed, long_line, long_silent, long_frame, long_version, long_paired
.define LONG_C long_later, long_expired, long_in_use, long_full, msg_empty, long_host, long_acia, long_serial
long_low:
        .lobytes LONG_A
        .lobytes LONG_B
        .lobytes LONG_C
long_high:
        .hibytes LONG_A
        .hibytes LONG_B
        .hibytes LONG_C
        .assert long_high - long_low = ERR_COUNT, error, "words for each error"
.define SHORT_A msg_empty, short_off, short_stuck, short_network, short_dns, short_refused, short_answer, short_route
.define SHORT_B short_socket, short_open, short_closed, short_line, short_silent, short_frame, short_version, short_paired
.define SHORT_C short_later, short_expired, short_in_use, short_full, msg_empty, short_host, short_acia, short_serial
short_low:
        .lobytes SHORT_A
        .lobytes SHORT_B
        .lobytes SHORT_C
short_high:
        .hibytes SHORT_A
        .hibytes SHORT_B
        .hibytes SHORT_C
        .assert short_high - short_low = ERR_COUNT, error, "words for each error"
