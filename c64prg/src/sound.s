; Tunes on the SID's first voice: one for an approval that waits, one for the
; end of a turn, one for a failure. Played by the interrupt.
.include "p64.inc"

.zeropage
sound_on:       .res 1
tune_next:      .res 1          ; tune that the interrupt shall begin, 0 none

.code
; Clobbers A, X.
sound_init:
        ldx     #$18
        lda     #0
@clear: sta     $D400,x
        dex
        bpl     @clear
        lda     #10
        sta     $D418           ; volume
        lda     #$09
        sta     $D405           ; attack 0, decay 9
        lda     #$00
        sta     $D406
        rts

; Switches sound on or off. Clobbers A, X, Y.
sound_toggle:
        lda     sound_on
        eor     #1
        sta     sound_on
        lsr                     ; off: also what plays now
        lda     #TUNE_DONE
        bcs     @play
        lda     #TUNE_OFF
@play:  sta     tune_next
        jmp     record_save

; Starts a tune. In: A = TUNE_... Clobbers A.
sound_start:
        sta     tune_next
        lda     sound_on
        bne     @on
        sta     tune_next
@on:    rts

; Plays on; once a frame, in the interrupt. Clobbers A, X, Y.
sound_play:
        ldx     tune_next
        beq     @playing
        lda     #0
        sta     tune_next
        sta     snd_wait
        lda     tune_low-1,x
        sta     snd_ptr
        lda     tune_high-1,x
        sta     snd_ptr+1
@playing:
        lda     snd_ptr+1
        beq     @end
        lda     snd_wait
        beq     @note
        dec     snd_wait
        rts
@note:  ldy     #0
        lda     (snd_ptr),y
        beq     @stop
        sta     snd_wait
        iny
        lda     (snd_ptr),y     ; waveform
        tax
        and     #$FE
        sta     $D404           ; gate off, so that the envelope starts again
        iny
        lda     (snd_ptr),y
        sta     $D400
        iny
        lda     (snd_ptr),y
        sta     $D401
        stx     $D404
        lda     snd_ptr
        clc
        adc     #4
        sta     snd_ptr
        bcc     @end
        inc     snd_ptr+1
@end:   rts
@stop:  sta     snd_ptr+1
        lda     #$10
        sta     $D404
        rts

.rodata
tune_low:
        .byte   <approval, <done, <failed, <silence
tune_high:
        .byte   >approval, >done, >failed, >silence

; frames, waveform with gate, frequency
approval:
        .byte   8, $11
        .word   7382            ; A4
        .byte   8, $11
        .word   11060           ; E5
        .byte   24, $11
        .word   14764           ; A5
        .byte   0
done:   .byte   6, $11
        .word   8779            ; C5
        .byte   20, $11
        .word   13153           ; G5
        .byte   0
failed: .byte   10, $21
        .word   4389            ; C4
        .byte   24, $21
        .word   3104            ; F#3
silence:
        .byte   0
