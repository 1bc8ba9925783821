; The name on the connect screen, in large letters of solid blocks. Its stripes
; take their colours from the scheme.
.include "p64.inc"

LOGO_X  = 3
LETTERS = 8

.code
; In: A = its first row. Clobbers A, X, Y, tmp, tmp2, tmp3.
logo_draw:
        sta     tmp
        lda     #0
        sta     tmp3            ; index of a letter's part in this row
@row:   lda     tmp3
        lsr
        lsr
        lsr
        tay
        ldx     tmp
        inc     tmp
        lda     logo_roles,y
        ldy     #LOGO_X
        jsr     screen_at
        ldx     tmp3
@letter:
        lda     logo,x
@cell:  asl                     ; the lowest bit ends the letter
        beq     @next
        sta     tmp2
        lda     #CH_SOLID
        bcs     @put
        lda     #CH_BLANK
@put:   jsr     screen_code
        lda     tmp2
        bne     @cell           ; always
@next:  inx
        txa
        and     #LETTERS - 1
        bne     @letter
        stx     tmp3
        cpx     #LOGO_SIZE
        bcc     @row
        rts

.rodata
logo_roles:
        .byte   ROLE_ERROR, ROLE_HEAD, ROLE_ADD, ROLE_ACTIVITY, ROLE_HINT
ROWS = * - logo_roles
; Three cells and a gap, a wide one behind PROMPT; then the bit that ends it.
;               P          R          O          M          P          T          6          4
logo:   .byte   %11101000, %11101000, %11101000, %10101000, %11101000, %11100010, %11101000, %10101000
        .byte   %10101000, %10101000, %10101000, %11101000, %10101000, %01000010, %10001000, %10101000
        .byte   %11101000, %11001000, %10101000, %11101000, %11101000, %01000010, %11101000, %11101000
        .byte   %10001000, %10101000, %10101000, %10101000, %10001000, %01000010, %10101000, %00101000
        .byte   %10001000, %10101000, %11101000, %10101000, %10001000, %01000010, %11101000, %00101000
LOGO_SIZE = * - logo
        .assert LOGO_SIZE = ROWS * LETTERS, error, "a part of each letter in each row"
