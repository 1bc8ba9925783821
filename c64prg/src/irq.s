; The raster interrupt, the only one: four times a frame it looks at the
; keyboard, and once more where a key was new; below the text it also counts
; time and plays.
.include "p64.inc"

LINE_FRAME = 251                ; first line below the text
SCANS      = 4
AGAIN      = 30                 ; lines to the second look. The first one takes up
                                ; to 1,440 cycles, 23 lines of PAL: a line that has
                                ; passed by then would not come for a whole frame

.zeropage
irq_next:       .res 1          ; which of the lines the next one is

.code
; Finds the standard, sets the VIC and the vectors, allows
; interrupts. The screen stays off. Clobbers A, X, Y.
irq_init:
        lda     #$0B            ; screen off: no bad lines while measuring
        sta     $D011
        jsr     find_standard
        lda     #$FF
        sta     TIMER
        sta     TIMER+1
        lda     #$11            ; load it and let it run
        sta     TIMER_RUNS

        lda     $DD02
        ora     #3
        sta     $DD02
        lda     $DD00
        and     #$FC            ; bank 3
        sta     $DD00
        lda     #((SCREEN >> 6) & $F0) | ((FONT >> 10) & $0E)
        sta     $D018
        lda     #$08            ; 40 columns, no multicolour
        sta     $D016
        lda     #0
        sta     $D015

        lda     #$FF            ; keyboard: rows out, columns in
        sta     $DC02
        lda     #0
        sta     $DC03

        set16   VECTORS, nmi_entry
        set16   VECTORS + 2, start
        set16   VECTORS + 4, irq
        lda     #LINE_FRAME
        sta     $D012
        lda     #1
        sta     $D01A
        lda     #$FF
        sta     $D019
        cli
        rts

screen_on:
        lda     #$1B
        sta     $D011
        rts

; The highest raster line tells the standard: 311 on PAL, 262 on NTSC, 261 on
; the first NTSC machines. Out: ntsc. Clobbers A, X.
find_standard:
        bit     $D011           ; from the start of a frame
        bmi     find_standard
@upper: bit     $D011           ; to lines above 255
        bpl     @upper
        ldx     #0
@max:   lda     $D012
        bit     $D011
        bpl     @done
        tax
        jmp     @max
@done:  cpx     #$20
        lda     #0
        bcs     @pal
        lda     #1
@pal:   sta     ntsc
        rts

irq:    pha
        txa
        pha
        tya
        pha
        lda     $01             ; the main program may look beneath the I/O
        pha
        lda     #BANK_IO
        sta     $01
        lda     #$FF
        sta     $D019
        lda     irq_next
        bmi     @again
        bne     @scan
        jsr     clock_tick
        jsr     keys_repeat
        jsr     sound_play
@scan:  lda     #0
        jsr     keys_scan
        ldx     irq_next
        bcc     @on
        bne     @second         ; behind the first the next look is near, and on
@on:    inx                     ; NTSC a line between would have passed by now
        txa
        and     #SCANS - 1
        tax
        stx     irq_next
        lda     lines,x
        sta     $D012
        jmp     @done
@second:
        txa
        ora     #$80
        sta     irq_next
        lda     seconds,x
        sta     $D012
        clc                     ; has the beam passed it already? Then no
        sbc     $D012           ; interrupt would come for a whole frame
        beq     @late
        bcs     @done
@late:  stx     irq_next
        jmp     @on
@again: and     #SCANS - 1
        sta     irq_next
        lda     #$80
        jsr     keys_scan
        ldx     irq_next
        jmp     @on
@done:  pla
        sta     $01
        pla
        tay
        pla
        tax
        pla
        rti

.rodata
; Where a look is taken, and where the second one behind it. None is above 255,
; so that bit 8 stays 0 on both standards.
lines:          .byte LINE_FRAME, 20, 95, 173
seconds:        .byte 0, 20+AGAIN, 95+AGAIN, 173+AGAIN ; the first has none
