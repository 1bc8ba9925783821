; Where the screen's rows are, and the screen code of each byte.
.include "p64.inc"

.rodata
row_low:
        .repeat 25, i
        .byte   <(SCREEN + i * 40)
        .endrepeat
row_high:
        .repeat 25, i
        .byte   >(SCREEN + i * 40)
        .endrepeat

; Text byte to screen code. Bytes above $7F are screen codes already.
codes:
        .res    $20, CH_BLANK
        .repeat $20, i          ; blank to ?
        .byte   $20 + i
        .endrepeat
        .byte   $00             ; @
        .repeat 26, i           ; A to Z
        .byte   $41 + i
        .endrepeat
        .byte   $1B, CH_ASCII, $1D, CH_ASCII+1, CH_ASCII+2, CH_ASCII+3
        .repeat 26, i           ; a to z
        .byte   $01 + i
        .endrepeat
        .byte   CH_ASCII+4, CH_ASCII+5, CH_ASCII+6, CH_ASCII+7, CH_BLANK
        .repeat $80, i
        .byte   i
        .endrepeat
        .assert * - codes = 256, error, "a code for each byte"
