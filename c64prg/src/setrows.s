; A row of the settings: its name, its choices, the one that holds.
.include "p64.inc"

ROW_ROWS  = ROW_WIN + 3
CHOICE_AT = 12

.code
; Draws row set_draw. Clobbers A, X, Y.
set_row_draw:
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
        jsr     set_value
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
        ldy     workspace_len
        beq     @root
        lda     #LINE_COLS - CHOICE_AT
        sta     tmp3
        ldax    workspace
        jsr     screen_tail
        jmp     @rest
@root:  lda     #'/'
        jsr     screen_put
        jmp     @rest
@bridge:
        inc     scr_x
        lda     #LINE_COLS - CHOICE_AT - 6 ; the port behind it
        jsr     host_tail
        lda     #':'
        jsr     screen_put
        mov16   num, port
        jsr     screen_num
@rest:  jmp     screen_rest

; The value of a setting. In: X = row. Out: A. Clobbers ptr, Y.
set_value:  lda     value_low,x
        sta     ptr
        lda     value_high,x
        sta     ptr+1
        ldy     #0
        lda     (ptr),y
        rts

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
