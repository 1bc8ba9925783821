; What the keys of the matrix mean, row by row, bit 0 first: plain, with SHIFT,
; with C=.
.include "p64.inc"

.rodata
map_plain:
        .byte   KEY_DEL, KEY_RETURN, KEY_RIGHT, KEY_F7, KEY_F1, KEY_F3, KEY_F5, KEY_DOWN
        .byte   "3wa4zse", 0
        .byte   "5rd6cftx"
        .byte   "7yg8bhuv"
        .byte   "9ij0mkon"
        .byte   "+pl-.:@,"
        .byte   $5C, "*;", KEY_HOME, 0, "=^/"
        .byte   "1_", 0, "2 ", 0, "q", KEY_STOP
map_shift:
        .byte   KEY_INS, KEY_NEWLINE, KEY_LEFT, KEY_F8, KEY_F2, KEY_F4, KEY_F6, KEY_UP
        .byte   "#WA$ZSE", 0
        .byte   "%RD&CFTX"
        .byte   "'YG(BHUV"
        .byte   ")IJ0MKON"
        .byte   "+PL->[@<"
        .byte   $5C, "*]", KEY_CLR, 0, "=^?"
        .byte   "!_", 0, $22, " ", 0, "Q", KEY_STOP
map_logo:
        .byte   0, 0, 0, KEY_END, 0, 0, 0, 0
        .byte   0, 0, 0, 0, 0, 0, 0, 0
        .byte   0, 0, 0, 0, 0, 0, 0, 0
        .byte   0, 0, 0, 0, 0, 0, 0, 0
        .byte   0, 0, 0, 0, 0, 0, 0, 0
        .byte   0, 0, 0, 0, 0, "{", 0, 0
        .byte   "|", 0, "}", 0, 0, 0, "~", 0
        .byte   0, "`", 0, 0, 0, 0, 0, 0
        .assert * - map_plain = 192, error, "three maps of 64 keys"
