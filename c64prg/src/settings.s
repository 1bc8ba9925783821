; The settings: a row each, its choices beside it, what the choice means below.
.include "p64.inc"

ROW_MEANS = ROW_WIN + 12

.zeropage
set_row:        .res 1          ; the chosen row
set_want:       .res 1          ; SET_... that the bridge does not know yet
set_low:        .res 1          ; text pointer of the choices
set_high:       .res 1
set_n:          .res 1
set_draw:       .res 1

.bss
palette:        .res 1          ; bit 0 of display

.code
settings_draw:
        lda     display
        and     #DISPLAY_PALETTE
        sta     palette
        ldx     #ROW_WIN
        lda     #ROW_STATUS
        jsr     screen_clear
        ldx     #ROW_WIN
        ldy     #0
        lda     #ROLE_HEAD
        jsr     screen_at
        ldax    msg_settings
        jsr     screen_text
        ldx     #ROW_WIN + 1
        jsr     screen_rule
        ldax    msg_set_keys
        jsr     hint_rows
settings_rows:
        lda     #0
        sta     set_draw
@row:   jsr     set_row_draw
        inc     set_draw
        lda     set_draw
        cmp     #SET_ROWS
        bcc     @row
        ldx     set_row         ; what the choice means
        lda     means_at,x
        cpx     #SETTINGS
        bcs     @have
        pha
        jsr     set_value
        sta     tmp
        pla
        cpx     #2              ; reasoning and access: a text for each choice
        bcs     @have
        adc     tmp
@have:  tax
        lda     means_low,x
        sta     ptr
        lda     means_high,x
        sta     ptr+1
        lda     #ROW_MEANS
        sta     tmp3
        lda     #ROLE_NOTE
        jsr     paragraph
        ldx     tmp3
        lda     #ROW_STATUS
        jmp     screen_clear

; In: A = key. Clobbers A, X, Y.
settings_key:
        ldx     set_row
        cmp     #KEY_DOWN
        beq     @down
        cmp     #KEY_UP
        beq     @up
        cmp     #KEY_RIGHT
        beq     @right
        cmp     #KEY_LEFT
        beq     @left
        cmp     #KEY_STOP
        beq     @chat
        cmp     #KEY_RETURN
        bne     @none
        cpx     #SETTINGS
        beq     @folders
        bcc     @right
@none:  rts
@chat:  lda     #VIEW_CHAT
        jmp     view_open
@folders:
        jmp     folders_open
@down:  inx
        cpx     #SET_ROWS
        bcc     @set
        ldx     #0
@set:   stx     set_row
        jmp     settings_rows
@up:    dex
        bpl     @set
        ldx     #SET_ROWS - 1
        bne     @set            ; always
@right: cpx     #SETTINGS
        bcs     @none
        jsr     set_value
        clc
        adc     #1
        cmp     counts,x
        bcc     @change
        lda     #0
        beq     @change         ; always
@left:  cpx     #SETTINGS
        bcs     @none
        jsr     set_value
        sec
        sbc     #1
        bcs     @change
        lda     counts,x
        sbc     #0              ; carry is clear: one less
@change:
        sta     (ptr),y
        lda     set_bits,x
        ora     set_want
        sta     set_want
        lda     set_bits,x
        ora     user_set
        sta     user_set
        lda     palette
        sta     display
        jsr     record_save
        lda     set_row
        cmp     #4
        bne     settings_rows_far
        jsr     scheme_apply    ; the whole screen has other colours
        jmp     view_draw
settings_rows_far:
        jmp     settings_rows

settings_frame:
        rts

; Once a frame, in every view: tells the bridge what has changed.
; Clobbers A, X, Y.
settings_serve:
        lda     set_want
        beq     @none
        lda     link_state
        cmp     #LINK_ON
        bne     @none
        lda     control_state
        bne     @none
        lda     caps
        and     #<CAP_SETTINGS
        beq     @none
        lda     set_want
        and     #SET_SETTINGS
        beq     @access
        eor     set_want
        sta     set_want
        lda     #FRAME_SETTINGS_SET
        jmp     control_ask
@access:
        sta     set_want
        lda     #FRAME_ACCESS_SET
        jmp     control_ask
@none:  rts

.rodata
counts:         .byte 4, 3, 2, 2, 4
set_bits:       .byte SET_SETTINGS, SET_ACCESS, SET_SETTINGS, 0, 0
means_at:       .byte 0, 4, 7, 8, 9, 10, 11
.define MEANS_A msg_m_r0, msg_m_r1, msg_m_r2, msg_m_r3, msg_m_a0, msg_m_a1, msg_m_a2
.define MEANS_B msg_m_palette, msg_m_sound, msg_m_colours, msg_m_workspace, msg_m_bridge
means_low:      .lobytes MEANS_A
                .lobytes MEANS_B
means_high:     .hibytes MEANS_A
                .hibytes MEANS_B
