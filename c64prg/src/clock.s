; Time. The interrupt counts video frames; the clock counts ticks of 20 ms on
; both standards: of six NTSC frames one is not counted.
.include "p64.inc"

.bss
ntsc:           .res 1          ; 1 on an NTSC machine
ntsc_skip:      .res 1          ; frames until one is left out

.code
; One frame has passed. Called by the interrupt. Clobbers A.
clock_tick:
        inc     frame_count
        lda     ntsc
        beq     @count
        dec     ntsc_skip
        bpl     @count
        lda     #5
        sta     ntsc_skip
        rts
@count: inc     now
        bne     @done
        inc     now+1
@done:  rts

; Takes the time of this pass. Out: time. Clobbers A, X.
clock_read:
        ldx     now+1           ; again if the interrupt came between
        lda     now
        cpx     now+1
        bne     clock_read
        sta     time
        stx     time+1
        rts

; Whole seconds since a moment, at most 255.
; In: A/X = the moment, A low. Out: A. Clobbers X, Y, num.
clock_since:
        sta     num
        stx     num+1
        lda     time
        sec
        sbc     num
        sta     num
        lda     time+1
        sbc     num+1
        sta     num+1
        ; falls through

; Whole seconds in a number of ticks, at most 255; 0 for a negative one.
; In: num. Out: A. Clobbers X, Y, num.
clock_seconds:
        lda     num+1
        bmi     @none
        ldx     #0
@next:  lda     num
        sec
        sbc     #SECOND
        tay
        lda     num+1
        sbc     #0
        bcc     @done
        sta     num+1
        sty     num
        inx
        bne     @next
        dex
@done:  txa
        rts
@none:  lda     #0
        rts
