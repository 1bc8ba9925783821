; Start, and the loop that everything hangs on.
.include "p64.inc"

.segment "LOADADDR"
        .word   PRG_START

.segment "STUB"
        .word   stub_end        ; 10 SYS2061
        .word   10
        .byte   $9E, "2061", 0
stub_end:
        .word   0
        .assert * = 2061, error, "SYS goes elsewhere"
        jmp     start

.code
; Takes the machine over. Never returns.
start:  sei
        cld
        ldx     #$FF
        txs
        lda     #$7F            ; no interrupts from the CIAs
        sta     $DC0D
        sta     $DD0D
        lda     $DC0D
        lda     $DD0D
        jsr     clear_vars
        jsr     acia_init
        jsr     font_init       ; needs the character ROM
        lda     #BANK_IO
        sta     $01
        jsr     irq_init        ; measures the machine, then allows interrupts
        jsr     record_load
        jsr     recall_load
        jsr     config_load
        jsr     scheme_apply
        jsr     sound_init
        jsr     edit_clear
        jsr     chat_init
        jsr     link_init
        lda     #VIEW_CONNECT
        jsr     view_open
        jsr     screen_on

; One pass. Keys are looked at between the longer steps, so that none waits
; longer than one of them.
main:   jsr     clock_read
        jsr     keys_serve
        jsr     link_poll
        jsr     keys_serve
        jsr     frames_serve
        jsr     keys_serve
        jsr     views_frame
        jsr     keys_serve
        jsr     paint_serve
        jmp     main

; Clears zero page and variables. Clobbers A, X, Y.
clear_vars:
        lda     #0
        tax
@zero:  cpx     #2
        bcc     @skip
        sta     $00,x
@skip:  inx
        bne     @zero
        lda     #>VARS
        sta     ptr+1
        lda     #0
        sta     ptr
        tay
@page:  sta     (ptr),y
        iny
        bne     @page
        inc     ptr+1
        bne     @page           ; to $FFFF, the vectors included
        rts
