; The keyboard: matrix, debouncing, repetition, a buffer of 16 keys. Everything
; down to keys_scan runs in the interrupt.
.include "p64.inc"

REPEAT_FIRST = 18               ; frames until a held key repeats
REPEAT_NEXT  = 3
NO_KEY       = $FF

.zeropage
scan:           .res 8          ; what is pressed in this scan, by rows
keys_busy:      .res 1          ; 0: nothing is held, nothing was seen
keys_new:       .res 1
repeat_key:     .res 1          ; index in the matrix, NO_KEY
repeat_wait:    .res 1
stick_held:     .res 1          ; those that count as closed

.bss
scan_old:       .res 8          ; in the scan before
held:           .res 8          ; what counts as pressed
stick_look:     .res 1          ; contacts in the look before
key_buffer:     .res 16

.code
; Looks at the matrix. A key counts as pressed when two looks agree, and as let
; go when two of the regular ones do: contacts bounce longer when they open.
; In: A = 0: regular look, $80: a second look soon after one that found
; something new. Out: carry set: a second look is wanted. Clobbers A, X, Y.
keys_scan:
        sta     irq_look
        lda     #$FF            ; no row: what is low now is a joystick
        sta     $DC00
        lda     $DC00
        jsr     stick_scan
        lda     $DC01
        cmp     #$FF
        bne     @none           ; joystick 1 would look like keys
        lda     #0
        sta     $DC00
        lda     $DC01
        cmp     #$FF
        bne     @rows
@none:  lda     keys_busy       ; the usual case: nothing is and was pressed
        bne     @clear
        clc
        rts
@clear: lda     #0
        ldx     #7
@zero:  sta     scan,x
        dex
        bpl     @zero
        bmi     @judge          ; always

@rows:  ldx     #7
@row:   lda     row_masks,x
        sta     $DC00
        lda     $DC01
        eor     #$FF
        sta     scan,x
        dex
        bpl     @row
        lda     #0              ; SHIFT and C= are not keys of their own
        sta     irq_shift
        lda     scan+1
        and     #$80
        bne     @shift
        lda     scan+6
        and     #$10
        beq     @plain
@shift: lda     #1
        sta     irq_shift
@plain: lda     scan+7
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

@judge: lda     #0
        sta     keys_busy
        sta     keys_new
        ldx     #7
@each:  lda     scan,x          ; most rows have nothing to tell
        ora     scan_old,x
        ora     held,x
        beq     @next
        lda     scan,x          ; pressed in both looks, and not before
        and     scan_old,x
        tay
        lda     held,x
        eor     #$FF
        sta     irq_tmp
        tya
        and     irq_tmp
        beq     @go
        sta     irq_bits
        ora     held,x
        sta     held,x
        jsr     pressed
@go:    bit     irq_look
        bmi     @keep
        lda     scan,x          ; let go in both regular looks
        ora     scan_old,x
        and     held,x
        sta     held,x
        lda     scan,x
        sta     scan_old,x
        ora     held,x
        ora     keys_busy
        sta     keys_busy
        lda     held,x
        eor     #$FF
        and     scan,x          ; new: look again soon
        ora     keys_new
        sta     keys_new
        jmp     @next
@keep:  inc     keys_busy       ; the next regular look decides
@next:  dex
        bpl     @each
        lda     #0
        cmp     keys_new        ; carry set when keys_new is 0
        bcs     @calm
        sec
        rts
@calm:  clc
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

; The joystick in port 2: contacts bounce, so two looks must agree.
; In: A = port, 0 is pressed. Clobbers A, X, Y.
stick_scan:
        eor     #$FF
        and     #$1F            ; fire, right, left, down, up
        cmp     stick_look
        sta     stick_look
        bne     @none
        tay
        eor     stick_held
        sty     stick_held
        and     stick_held      ; newly pressed
        beq     @none
        ldx     #4
@bit:   lsr
        bcs     @store
        dex
        bpl     @bit            ; always: one of them is set
@store: lda     stick_keys,x
        jmp     key_store
@none:  rts

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

.rodata
row_masks:
        .byte   $FE, $FD, $FB, $F7, $EF, $DF, $BF, $7F
stick_keys:
        .byte   KEY_FIRE, KEY_JOYRIGHT, KEY_JOYLEFT, KEY_JOYDOWN, KEY_JOYUP
bits:   .byte   1, 2, 4, 8, 16, 32, 64, 128
