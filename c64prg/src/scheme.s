; Colour schemes. A line of the transcript keeps its role; the scheme gives the
; role its colour, so a change of scheme recolours what is there.
.include "p64.inc"

SCHEMES = 4

.zeropage
scheme: .res 1
alarm:  .res 1                  ; 1: the border shows that someone is needed

.bss
colours:
        .res    ROLE_COUNT

.code
; Takes the scheme's colours. In: scheme. Clobbers A, X, Y.
scheme_apply:
        lda     scheme
        cmp     #SCHEMES
        bcc     @known
        lda     #0
        sta     scheme
@known: tax
        ldy     starts,x
        ldx     #0
@copy:  lda     table,y
        sta     colours,x
        iny
        inx
        cpx     #ROLE_COUNT
        bcc     @copy
        ; falls through

; Sets border and background. In: scheme, alarm. Clobbers A, X.
scheme_border:
        ldx     scheme
        lda     background,x
        sta     $D021
        lda     alarm
        beq     @calm
        lda     alarms,x
        sta     $D020
        rts
@calm:  lda     border,x
        sta     $D020
        rts

.rodata
starts: .repeat SCHEMES, i
        .byte   i * ROLE_COUNT
        .endrepeat
;               c64 dark green amber
border:     .byte 14,  0,   0,   0
background: .byte  6,  0,   0,   0
alarms:     .byte  7,  7,  13,   8

; One line a scheme, in the order of the roles: agent, user, think, activity,
; error, add, delete, meta, note, title, status, edit, hint, rule, head, unsent.
table:  .byte   1, 7, 14, 3, 10, 13, 10, 14, 15, 14, 14, 1, 14, 14, 7, 12
        .byte   15, 7, 12, 14, 10, 5, 10, 12, 12, 15, 15, 1, 12, 11, 7, 12
        .byte   13, 1, 5, 5, 1, 13, 5, 5, 5, 13, 13, 13, 5, 5, 1, 5
        .byte   7, 1, 8, 8, 1, 7, 8, 8, 8, 7, 7, 7, 8, 8, 1, 8
        .assert * - table = SCHEMES * ROLE_COUNT, error, "a colour for each role"
