; Writing on the screen outside of the transcript: rows, text, numbers.
.include "p64.inc"

; Raster lines that a bar may take: 10, twice the interrupt's 23, 3 bad ones.
BEAM_NEAR = 60

.code
; Sets the place. In: X = row, Y = column, A = role (its colour is taken).
; Out: scr, col, scr_x, ink; reverse off. Clobbers A, X, Y.
screen_at:
        sty     scr_x
        tay
        lda     colours,y
        sta     ink
        lda     row_low,x
        sta     scr
        sta     col
        lda     row_high,x
        sta     scr+1
        sec
        sbc     #>(SCREEN - COLOURS)
        sta     col+1
        lda     #0
        sta     reverse
        rts

; The same for a row of the window that paint_window shows when all are written.
; In: X = row, A = role. Out: as screen_at. Clobbers A, Y.
screen_row:
        sta     ring_role+RING_LINES-ROW_WIN,x
        ldy     #0
        jsr     screen_at
        lda     line_low+RING_LINES-ROW_WIN,x
        sta     scr
        lda     line_high+RING_LINES-ROW_WIN,x
        sta     scr+1
        set16   col, bar_inks
        rts

; Begins a bar, a row in reverse. It is written off the screen and shown in one
; go, so that the beam never meets half of it. In: A = role. Clobbers A, X, Y.
screen_bar:
        ldx     #ROW_TITLE
        ldy     #0
        jsr     screen_at
        set16   scr, bar
        set16   col, bar_inks
        lda     #$80
        sta     reverse
        rts

; Shows the bar, once the beam is not about to read its row: that is waited for, a
; quarter of a frame at most. In: X = row. Clobbers A, X, Y, tmp.
screen_show:
        jsr     screen_rest
        txa                     ; its first raster line
        asl
        asl
        asl
        adc     #51             ; carry is clear: 24 rows at most
        sta     tmp
@near:  bit     $D011
        bmi     @far            ; below the screen
        lda     tmp
        cmp     $D012
        bcc     @far            ; past it
        sbc     $D012
        cmp     #BEAM_NEAR
        bcc     @near
@far:   lda     ink             ; screen_at takes another
        pha
        ldy     #0
        tya
        jsr     screen_at
        ldy     #LINE_COLS - 1
@put:   lda     bar,y           ; 4
        sta     (scr),y         ; 6
        dey                     ; 2
        bpl     @put            ; 3 = 15, 10 raster lines in all
        pla
        ldy     #LINE_COLS - 1
@ink:   sta     (col),y
        dey
        bpl     @ink
        rts

; Takes another role's colour. In: A = role. Clobbers A, Y.
screen_role:
        tay
        lda     colours,y
        sta     ink
        rts

; Writes one character of text, also a screen code token. What is right of
; column 39 is cut. In: A. Clobbers A, Y.
screen_put:
        tay
        lda     codes,y
; Writes a screen code. In: A. Clobbers A, Y.
screen_code:
        bit     reverse
        bpl     @plain
        cmp     #$60
        bcs     @high
        ora     #$80
        bne     @plain          ; always
@high:  cmp     #CH_ASCII
        bcc     @plain          ; graphics have no reversed form
        cmp     #CH_ASCII_REV
        bcs     @plain
        ora     #CH_ASCII_REV - CH_ASCII
@plain: ldy     scr_x
        cpy     #LINE_COLS
        bcs     @full
        sta     (scr),y
        lda     ink
        sta     (col),y
        inc     scr_x
@full:  rts

; Writes a text that ends with 0. In: A/X = text, A low. Clobbers A, X, Y, ptr.
screen_text:
        sta     ptr
        stx     ptr+1
        ldx     #0
@next:  txa
        tay
        lda     (ptr),y
        beq     @end
        jsr     screen_put
        inx
        bne     @next
@end:   rts

; Writes a text of a known length; of one that is too long the end, behind three
; dots. In: A/X = text, Y = its length, tmp3 = columns. Clobbers A, X, Y, ptr, tmp2.
screen_tail:
        sta     ptr
        stx     ptr+1
        sty     tmp2
        ldx     #0
        lda     tmp3
        cmp     tmp2
        bcs     @next
        tya                     ; from length - columns + 3 on
        sbc     tmp3            ; carry is clear: one more, and the next is set
        adc     #3
        tax
        jsr     screen_dots
@next:  cpx     tmp2
        bcs     @end
        txa
        tay
        lda     (ptr),y
        jsr     screen_put
        inx
        bne     @next           ; always
@end:   rts

; Clobbers A, Y.
screen_dots:
        jsr     @one
        jsr     @one
@one:   lda     #'.'
        jmp     screen_put

; Writes blanks up to a column. In: A = that column. Clobbers A, Y, tmp.
screen_pad:
        sta     tmp
        ldy     scr_x
@next:  cpy     tmp             ; 3
        bcs     @end            ; 2
        lda     #CH_BLANK       ; 2
        ora     reverse         ; 3
        sta     (scr),y         ; 6
        lda     ink             ; 3
        sta     (col),y         ; 6
        iny                     ; 2
        bne     @next           ; 3 = 30
@end:   sty     scr_x
        rts

; Blanks the rest of the row. Clobbers A, Y, tmp.
screen_rest:
        lda     #LINE_COLS
        bne     screen_pad      ; always

; A row of text that ends with 0, blank to its end.
; In: A/X = text; X of the row in tmp2, role in tmp3. Clobbers A, X, Y.
screen_line:
        pha
        txa
        pha
        ldx     tmp2
        ldy     #0
        lda     tmp3
        jsr     screen_at
        pla
        tax
        pla
        jsr     screen_text
        jmp     screen_rest

; Blanks rows. In: X = first, A = the row after the last. Clobbers A, X, Y,
; tmp, tmp2, tmp3.
screen_clear:
        sta     tmp2
        stx     tmp3
@row:   ldx     tmp3
        cpx     tmp2
        bcs     @end
        ldy     #0
        lda     #ROLE_AGENT
        jsr     screen_at
        jsr     screen_rest
        inc     tmp3
        bne     @row
@end:   rts

; Draws a rule. In: X = row. Clobbers A, X, Y.
screen_rule:
        ldy     #0
        lda     #ROLE_RULE
        jsr     screen_at
@next:  lda     #CH_RULE
        jsr     screen_code
        cpy     #LINE_COLS - 1
        bcc     @next
        rts

; Writes a number without leading zeros. In: A, or num. Clobbers A, X, Y, num.
screen_byte:
        sta     num
        lda     #0
        sta     num+1
screen_num:
        jsr     decimal
@digit: lda     digits,x
        stx     tmp
        jsr     screen_put
        ldx     tmp
        inx
        cpx     #5
        bcc     @digit
        rts

; Brings a number to five decimal digits. In: num. Out: digits, X = the first
; that is not a leading zero (4 at most). Clobbers A, Y, num.
decimal:
        ldx     #0
@digit: ldy     #'0'
@sub:   lda     num
        sec
        sbc     powers_low,x
        pha
        lda     num+1
        sbc     powers_high,x
        bcc     @less
        sta     num+1
        pla
        sta     num
        iny
        bne     @sub            ; always
@less:  pla
        tya
        sta     digits,x
        inx
        cpx     #5
        bcc     @digit
        ldx     #0
@lead:  lda     digits,x
        cmp     #'0'
        bne     @end
        inx
        cpx     #4
        bcc     @lead
@end:   rts

.bss
digits: .res 5
bar:            .res LINE_COLS  ; the row that is written
bar_inks:       .res LINE_COLS  ; and its colours, which nobody looks at

.rodata
powers_low:
        .byte   <10000, <1000, <100, <10, <1
powers_high:
        .byte   >10000, >1000, >100, >10, >1
