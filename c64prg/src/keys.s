; The keyboard: matrix, debouncing, repetition, a buffer of 16 keys. Everything
; down to keys_scan runs in the interrupt.
.include "p64.inc"

REPEAT_FIRST = 18               ; frames until a held key repeats
REPEAT_NEXT  = 3
NO_KEY       = $FF

.bss
scan:           .res 8          ; what is pressed in this scan, by rows
scan_old:       .res 8          ; in the scan before
held:           .res 8          ; what counts as pressed
repeat_key:     .res 1          ; index in the matrix, NO_KEY
repeat_wait:    .res 1
fire_old:       .res 1
key_buffer:     .res 16

.code
; Looks at the matrix. A key counts when two scans half a frame apart agree.
; Clobbers A, X, Y.
keys_scan:
        lda     #$FF            ; no row: what is low now is a joystick
        sta     $DC00
        lda     $DC00
        jsr     fire_scan
        lda     $DC01
        cmp     #$FF
        bne     @none           ; joystick 1 would look like keys
        lda     #0
        sta     $DC00
        lda     $DC01
        cmp     #$FF
        beq     @none
        ldx     #7
@row:   lda     row_masks,x
        sta     $DC00
        lda     $DC01
        eor     #$FF
        sta     scan,x
        dex
        bpl     @row
        lda     #$FF
        sta     $DC00
        bne     @judge          ; always

@none:  lda     #0
        ldx     #7
@clear: sta     scan,x
        dex
        bpl     @clear

@judge: lda     #0              ; SHIFT and C= are not keys of their own
        sta     irq_shift
        lda     scan+1
        and     #$80
        bne     @shift
        lda     scan+6
        and     #$10
        beq     @nosh
@shift: lda     #1
        sta     irq_shift
@nosh:  lda     scan+7
        and     #$20
        beq     @mask
        lda     #2
        sta     irq_shift
@mask:  lda     scan+1
        and     #$7F
        sta     scan+1
        lda     scan+6
        and     #$EF
        sta     scan+6
        lda     scan+7
        and     #$DB            ; C= and CTRL
        sta     scan+7

        ldx     #7
@debounce:
        lda     scan,x          ; pressed: in both scans, or in one and held
        ora     scan_old,x
        and     held,x
        sta     irq_tmp
        lda     scan,x
        and     scan_old,x
        ora     irq_tmp
        tay
        eor     held,x
        beq     @same
        sta     irq_bits
        tya
        and     irq_bits        ; those that are new
        sta     irq_bits
        tya
        sta     held,x
        lda     irq_bits
        beq     @same
        jsr     pressed
@same:  lda     scan,x
        sta     scan_old,x
        dex
        bpl     @debounce
        rts

; New keys in a row. In: X = row, irq_bits. Keeps X. Clobbers A, Y.
pressed:
        stx     irq_row
        ldy     #7
@bit:   asl     irq_bits
        bcc     @next
        txa
        asl
        asl
        asl
        sta     irq_tmp
        tya
        ora     irq_tmp
        sta     repeat_key
        lda     #REPEAT_FIRST
        sta     repeat_wait
        tya
        pha
        jsr     key_down
        pla
        tay
        ldx     irq_row
@next:  dey
        bpl     @bit
        rts

; Puts the key at repeat_key into the buffer. Clobbers A, X, Y.
key_down:
        ldx     repeat_key
        lda     irq_shift
        beq     @plain
        lsr
        bcs     @shift
        lda     map_logo,x
        jmp     @have
@shift: lda     map_shift,x
        jmp     @have
@plain: lda     map_plain,x
@have:  beq     key_none
; In: A = key. Clobbers X, Y.
key_store:
        ldx     key_head
        sta     key_buffer,x
        inx
        txa
        and     #15
        cmp     key_tail
        beq     key_none        ; full: the newest is lost
        sta     key_head
key_none:
        rts

; Repeats a key that is held. Once a frame. Clobbers A, X, Y.
keys_repeat:
        ldx     repeat_key
        bmi     key_none
        txa
        lsr
        lsr
        lsr
        tay                     ; row
        txa
        and     #7
        tax
        lda     held,y
        and     bits,x
        beq     @let_go
        dec     repeat_wait
        bne     key_none
        lda     #REPEAT_NEXT
        sta     repeat_wait
        ldx     repeat_key
        lda     map_plain,x     ; RETURN and RUN/STOP do not repeat
        cmp     #KEY_RETURN
        beq     key_none
        cmp     #KEY_STOP
        beq     key_none
        jmp     key_down
@let_go:
        lda     #NO_KEY
        sta     repeat_key
        rts

; The joystick in port 2. In: A = port, 0 is pressed. Clobbers A, X, Y.
fire_scan:
        eor     #$FF
        and     #$13            ; fire, down, up
        cmp     fire_old
        beq     @same
        tay
        eor     fire_old
        sty     fire_old
        sty     irq_tmp
        and     irq_tmp         ; newly pressed
        beq     @same
        lsr
        bcs     @up
        lsr
        bcs     @down
        lda     #KEY_FIRE
        bne     key_store       ; always
@up:    lda     #KEY_JOYUP
        bne     key_store
@down:  lda     #KEY_JOYDOWN
        bne     key_store
@same:  rts

; Takes a key. Out: A, carry clear; carry set: none. Clobbers X.
key_get:
        ldx     key_tail
        cpx     key_head
        beq     @none
        lda     key_buffer,x
        inx
        pha
        txa
        and     #15
        sta     key_tail
        pla
        clc
        rts
@none:  sec
        rts

; Forgets the keys that wait. Clobbers A.
keys_flush:
        lda     key_head
        sta     key_tail
        rts

.rodata
row_masks:
        .byte   $FE, $FD, $FB, $F7, $EF, $DF, $BF, $7F
bits:   .byte   1, 2, 4, 8, 16, 32, 64, 128

; Row by row, bit 0 first.
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
