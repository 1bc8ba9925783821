; Text into the transcript: words wrap at column 40 while they stream in; code,
; which is indented, breaks at column 40.
.include "p64.inc"

CODE_INDENT = 4                 ; blanks that make a line code

.zeropage
hang:           .res 1          ; column where the block's lines begin
indent:         .res 1          ; column where a wrapped line goes on
soft:           .res 1          ; 1: the line began by wrapping
text_char:      .res 1

.code
; Appends text of the frame at rx_ptr to the last line, also half words.
; In: X = where it begins in the frame, src_end = where it ends.
; Clobbers A, X, Y. 40 cycles a character.
wrap_frame:
        lda     rx_ptr
        ldy     rx_ptr+1
; As wrap_frame, for text anywhere. In: A/Y = its address, A low.
wrap_text:
        sta     wrap_load+1
        sty     wrap_load+2
        lda     #PAINT_LINE
        ora     paint_want
        sta     paint_want
wrap_next:
        cpx     src_end         ; 3
        bcs     wrap_at_end            ; 2
wrap_load:
        ldy     $FFFF,x         ; 4
        inx                     ; 2
        cpy     #$21            ; 2
        bcc     wrap_at_blank          ; 2
        lda     codes,y         ; 4
        ldy     line_col        ; 3
        cpy     #LINE_COLS      ; 2
        bcs     wrap_at_full           ; 2
wrap_at_put:
        sta     (line_ptr),y    ; 6
        inc     line_col        ; 5
        bne     wrap_next       ; 3 = 40
wrap_at_end:
        rts

wrap_at_full:
        jsr     wrap_word
        ldy     line_col
        jmp     wrap_at_put

wrap_at_blank:
        cpy     #$0A
        beq     wrap_at_break
        ldy     line_col
        bit     wrap_mode
        bmi     wrap_at_code
        cpy     #LINE_COLS
        bcs     wrap_at_next           ; the word ended with the line
        cpy     indent
        bne     wrap_at_inner
        lda     soft            ; blanks where a line wrapped are dropped
        bne     wrap_next
wrap_at_inner:
        iny
        sty     line_col
        sty     word_col
        cpy     #CODE_INDENT
        bne     wrap_next
        jsr     is_code
        jmp     wrap_next
wrap_at_next:
        jsr     wrap_soft
        jmp     wrap_next
wrap_at_code:
        cpy     #LINE_COLS
        bcc     wrap_at_inner
        jsr     wrap_soft
        ldy     line_col
        jmp     wrap_at_inner
wrap_at_break:
        jsr     wrap_hard
        jmp     wrap_next

; A line that the text breaks itself. Clobbers A, Y; keeps X.
wrap_hard:
        jsr     ring_line
        lda     #0
        sta     soft
        sta     word_col
        sta     wrap_mode
        lda     hang
        sta     indent
        beq     @zero
        sta     line_col
        sta     word_col
@zero:  rts

; A line that goes on with what did not fit. Clobbers A, Y; keeps X.
wrap_soft:
        lda     soft
        ora     hang
        bne     @same
        jsr     find_indent
@same:  jsr     ring_line
        lda     #1
        sta     soft
        lda     indent
        bit     wrap_mode
        bpl     @hang
        lda     #0
@hang:  sta     line_col
        sta     word_col
        rts

; The line is full and a word goes on: takes the word's beginning along to the
; next line, unless it fills the line. In: A = code of its next character.
; Out: A. Clobbers Y; keeps X.
wrap_word:
        sta     text_char
        bit     wrap_mode
        bmi     @break
        lda     word_col
        cmp     indent
        beq     @break
        bcc     @break
        stx     tmp
        mov16   ptr2, line_ptr
        lda     word_col
        sta     tmp2
        jsr     wrap_soft
        lda     line_ptr
        clc
        adc     line_col
        sta     ptr
        lda     line_ptr+1
        adc     #0
        sta     ptr+1
        lda     ptr             ; so that one index serves both lines
        sec
        sbc     tmp2
        sta     ptr
        bcs     @same
        dec     ptr+1
@same:  ldy     tmp2
@move:  cpy     #LINE_COLS
        bcs     @moved
        lda     (ptr2),y
        sta     (ptr),y
        lda     #CH_BLANK
        sta     (ptr2),y
        iny
        bne     @move           ; always
@moved: tya
        sec
        sbc     tmp2
        clc
        adc     line_col
        sta     line_col
        ldx     tmp
        lda     text_char
        rts
@break: jsr     wrap_soft
        lda     text_char
        rts

; Four blanks have been read at the start of a line: it is code, if there is
; nothing else before them. Clobbers A, Y; keeps X.
is_code:
        lda     soft
        ora     hang
        bne     @no
        ldy     #CODE_INDENT - 1
@look:  lda     (line_ptr),y
        cmp     #CH_BLANK
        bne     @no
        dey
        bpl     @look
        lda     #$80
        sta     wrap_mode
@no:    rts

; Where the lines below this one begin: beneath its first word, behind the mark
; of a list ("- ", "* ", "12. "). Out: indent. Clobbers A, Y; keeps X.
find_indent:
        ldy     #$FF
@blank: iny
        lda     (line_ptr),y
        cmp     #CH_BLANK
        beq     @blank          ; the line is full: there is something
        sty     indent
        cmp     #'-'
        beq     @mark
        cmp     #'*'
        beq     @mark
@digit: cmp     #'0'
        bcc     @dot
        cmp     #'9' + 1
        bcs     @end
        iny
        lda     (line_ptr),y
        bne     @digit          ; always, but for an @
@dot:   cmp     #'.'
        bne     @end
        cpy     indent
        beq     @end
@mark:  iny
        lda     (line_ptr),y
        cmp     #CH_BLANK
        bne     @end
        iny
        cpy     #LINE_COLS / 2
        bcs     @end
        sty     indent
@end:   lda     indent
        cmp     #LINE_COLS / 2  ; not into a narrow strip
        bcc     @fine
        lda     #0
        sta     indent
@fine:  rts
