; The settings: a row each, its choices beside it, what the choice means below.
.include "p64.inc"

ROW_ROWS  = ROW_WIN + 3
ROW_MEANS = ROW_WIN + 12
CHOICE_AT = 12
SETTINGS  = 5                   ; rows with choices
ROWS      = 7                   ; with workspace and bridge

.bss
set_row:        .res 1          ; the chosen row
set_want:       .res 1          ; SET_... that the bridge does not know yet
palette:        .res 1          ; bit 0 of display
set_low:        .res 1          ; text pointer of the choices
set_high:       .res 1
set_n:          .res 1
set_draw:       .res 1

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
@row:   jsr     draw_row
        inc     set_draw
        lda     set_draw
        cmp     #ROWS
        bcc     @row
        ldx     set_row         ; what the choice means
        lda     means_at,x
        cpx     #SETTINGS
        bcs     @have
        pha
        jsr     value
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

; Draws row set_draw. Clobbers A, X, Y.
draw_row:
        lda     set_draw
        clc
        adc     #ROW_ROWS
        tax
        ldy     #0
        lda     #ROLE_HINT
        jsr     screen_at
        ldx     #' '
        lda     set_draw
        cmp     set_row
        bne     @mark
        lda     #ROLE_HEAD
        jsr     screen_role
        ldx     #'>'
@mark:  txa
        jsr     screen_put
        ldx     set_draw
        lda     name_low,x
        pha
        lda     name_high,x
        tax
        pla
        jsr     screen_text
        lda     #CHOICE_AT - 1
        jsr     screen_pad
        lda     #ROLE_AGENT
        jsr     screen_role
        ldx     set_draw
        cpx     #SETTINGS
        bcs     @words
        jsr     value
        sta     set_n
        lda     choice_low,x
        sta     set_low
        lda     choice_high,x
        sta     set_high
        ldx     #0
@choice:
        lda     set_low
        sta     ptr
        lda     set_high
        sta     ptr+1
        ldy     #0
        lda     (ptr),y
        beq     @rest
        txa
        pha
        cmp     set_n
        beq     @chosen
        lda     #' '
        bne     @open           ; always
@chosen:
        lda     #ROLE_HEAD
        jsr     screen_role
        lda     #'['
@open:  jsr     screen_put
        lda     set_low
        ldx     set_high
        jsr     screen_text
        inx
        txa
        clc
        adc     set_low
        sta     set_low
        bcc     @same
        inc     set_high
@same:  pla
        tax
        ldy     #' '
        cmp     set_n
        bne     @close
        ldy     #']'
@close: tya
        jsr     screen_put
        lda     #ROLE_AGENT
        jsr     screen_role
        inx
        bne     @choice         ; always
@words: bne     @bridge
        inc     scr_x
        ldx     workspace_len
        beq     @root
        ldx     #0
@path:  lda     workspace,x
        jsr     screen_put
        inx
        cpx     workspace_len
        bcc     @path
        bcs     @rest           ; always
@root:  lda     #'/'
        jsr     screen_put
        jmp     @rest
@bridge:
        inc     scr_x
        ldax    host
        jsr     screen_text
        lda     #':'
        jsr     screen_put
        mov16   num, port
        jsr     screen_num
@rest:  jmp     screen_rest

; The value of a setting. In: X = row. Out: A. Clobbers ptr, Y.
value:  lda     value_low,x
        sta     ptr
        lda     value_high,x
        sta     ptr+1
        ldy     #0
        lda     (ptr),y
        rts

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
        cpx     #ROWS
        bcc     @set
        ldx     #0
@set:   stx     set_row
        jmp     settings_rows
@up:    dex
        bpl     @set
        ldx     #ROWS - 1
        bne     @set            ; always
@right: cpx     #SETTINGS
        bcs     @none
        jsr     value
        clc
        adc     #1
        cmp     counts,x
        bcc     @change
        lda     #0
        beq     @change         ; always
@left:  cpx     #SETTINGS
        bcs     @none
        jsr     value
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
.define NAMES msg_reasoning, msg_access, msg_palette, msg_sound, msg_colours, msg_workspace, msg_bridge
name_low:       .lobytes NAMES
name_high:      .hibytes NAMES
.define VALUES reasoning, access, palette, sound_on, scheme
value_low:      .lobytes VALUES
value_high:     .hibytes VALUES
.define CHOICES msg_c_reasoning, msg_c_access, msg_c_switch, msg_c_switch, msg_c_colours
choice_low:     .lobytes CHOICES
choice_high:    .hibytes CHOICES
counts:         .byte 4, 3, 2, 2, 4
set_bits:       .byte SET_SETTINGS, SET_ACCESS, SET_SETTINGS, 0, 0
means_at:       .byte 0, 4, 7, 8, 9, 10, 11
.define MEANS_A msg_m_r0, msg_m_r1, msg_m_r2, msg_m_r3, msg_m_a0, msg_m_a1, msg_m_a2
.define MEANS_B msg_m_palette, msg_m_sound, msg_m_colours, msg_m_workspace, msg_m_bridge
means_low:      .lobytes MEANS_A
                .lobytes MEANS_B
means_high:     .hibytes MEANS_A
                .hibytes MEANS_B
