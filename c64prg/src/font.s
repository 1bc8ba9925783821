; The font: the character ROM's lower-case set in RAM, the ASCII that it lacks,
; and the reversed glyphs that the program uses.
.include "p64.inc"

.code
; Builds the font. Interrupts must be off: the I/O is away for a while.
; Clobbers A, X, Y, ptr, ptr2.
font_init:
        lda     #BANK_CHAR
        sta     $01
        set16   ptr, $D800      ; lower-case set
        set16   ptr2, FONT
        ldx     #4              ; 128 glyphs
        ldy     #0
@copy:  lda     (ptr),y
        sta     (ptr2),y
        iny
        bne     @copy
        inc     ptr+1
        inc     ptr2+1
        dex
        bne     @copy
        lda     #BANK_IO
        sta     $01

        set16   ptr, FONT       ; $80-$DF: $00-$5F reversed
        set16   ptr2, FONT + $80 * 8
        ldx     #3              ; 96 glyphs
@rev:   lda     (ptr),y
        eor     #$FF
        sta     (ptr2),y
        iny
        bne     @rev
        inc     ptr+1
        inc     ptr2+1
        dex
        bne     @rev

        ldx     #GLYPHS_SIZE - 1
@own:   lda     glyphs,x
        sta     FONT + CH_ASCII * 8,x
        eor     #$FF
        sta     FONT + CH_ASCII_REV * 8,x
        dex
        bpl     @own
        ldx     #SPECIALS_SIZE - 1
@spec:  lda     specials,x
        sta     FONT + CH_MORE * 8,x
        dex
        bpl     @spec
        rts

; Draws the cursor's glyph: the one beneath it, reversed.
; In: A = screen code. Clobbers A, X, Y, ptr.
font_cursor:
        ldx     #0
        stx     ptr+1
        asl
        rol     ptr+1
        asl
        rol     ptr+1
        asl
        rol     ptr+1
        sta     ptr
        lda     ptr+1
        clc
        adc     #>FONT
        sta     ptr+1
        ldy     #7
@byte:  lda     (ptr),y
        eor     #$FF
        sta     FONT + CH_CURSOR * 8,y
        dey
        bpl     @byte
        rts

.rodata
glyphs: .byte   %00000000       ; backslash
        .byte   %01100000
        .byte   %00110000
        .byte   %00011000
        .byte   %00001100
        .byte   %00000110
        .byte   %00000011
        .byte   %00000000

        .byte   %00011000       ; caret
        .byte   %00111100
        .byte   %01100110
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000

        .byte   %00000000       ; underscore
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %01111110
        .byte   %00000000

        .byte   %00110000       ; grave accent
        .byte   %00011000
        .byte   %00001100
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000

        .byte   %00001110       ; left brace
        .byte   %00011000
        .byte   %00011000
        .byte   %01110000
        .byte   %00011000
        .byte   %00011000
        .byte   %00001110
        .byte   %00000000

        .byte   %00011000       ; vertical bar
        .byte   %00011000
        .byte   %00011000
        .byte   %00011000
        .byte   %00011000
        .byte   %00011000
        .byte   %00011000
        .byte   %00011000

        .byte   %01110000       ; right brace
        .byte   %00011000
        .byte   %00011000
        .byte   %00001110
        .byte   %00011000
        .byte   %00011000
        .byte   %01110000
        .byte   %00000000

        .byte   %00000000       ; tilde
        .byte   %00000000
        .byte   %00110010
        .byte   %01111110
        .byte   %01001100
        .byte   %00000000
        .byte   %00000000
        .byte   %00000000
GLYPHS_SIZE = * - glyphs
        .assert GLYPHS_SIZE = 64, error, "eight glyphs"

specials:
        .byte   %00000000       ; more below
        .byte   %00011000
        .byte   %00011000
        .byte   %00011000
        .byte   %01111110
        .byte   %00111100
        .byte   %00011000
        .byte   %00000000

        .byte   %00000000       ; line break
        .byte   %00000010
        .byte   %00100010
        .byte   %01100010
        .byte   %11111110
        .byte   %01100000
        .byte   %00100000
        .byte   %00000000

        .byte   $FF,$FF,$FF,$FF,$FF,$FF,$FF,$FF
SPECIALS_SIZE = * - specials
