; The views and the way between them. A view draws itself, takes the keys, and
; is called once a frame. Adding one means a line in each table and a number in
; codes.inc.
.include "p64.inc"

SOUND_AT = 20                   ; beneath the key that switches it

.zeropage
view:           .res 1          ; the one that is shown
view_vec:       .res 2

.bss
view_under:     .res 1          ; what an approval or a question covered

.code
; Opens a view. In: A = VIEW_... Clobbers A, X, Y.
view_open:
        sta     view
        lda     #0              ; what another view asked for is not for this one
        sta     list_want
        sta     list_load
        sta     typing
view_draw:
        jsr     paint_forget
        ldx     view
        lda     draw_low,x
        sta     view_vec
        lda     draw_high,x
        sta     view_vec+1
        lda     #1
        sta     title_new
        sta     status_new
        jmp     (view_vec)

; Opens a view that covers another until view_uncover. In: A = VIEW_...
view_cover:
        cmp     view
        beq     view_draw
        ldx     view
        cpx     #VIEW_CONFIRM   ; a question that is covered is dropped
        beq     view_open
        stx     view_under
        jmp     view_open

; Back to what was covered. Clobbers A, X, Y.
view_uncover:
        lda     view_under
        jmp     view_open

; Gives every key that waits to the view. Clobbers A, X, Y.
keys_serve:
        jsr     key_get
        bcs     @none
        cmp     #KEY_F2
        bne     @view
        jsr     sound_toggle
        jsr     status_sound
        lda     view            ; the connect screen has no status line
        cmp     #VIEW_CONNECT
        bne     @sound
        ldx     #ROW_EDIT + 2
        ldy     #SOUND_AT
        lda     #ROLE_EDIT
        jsr     screen_at
        jsr     status_words
        jsr     screen_rest
@sound: jmp     keys_serve
@view:  ldx     view
        ldy     free,x          ; may it be left for another view?
        beq     @own
        cmp     #KEY_F1
        beq     @dash
        cmp     #KEY_F3
        beq     @settings
        cmp     #KEY_F5
        beq     @sessions
@own:
        cpx     #VIEW_DASH      ; connect screen, chat, approval, question: theirs
        bcc     @call_key
        cmp     #'A'            ; a letter is a key here, whatever SHIFT LOCK says
        bcc     @call_key
        cmp     #'Z' + 1
        bcs     @call_key
        ldy     typing          ; but in a name
        bne     @call_key
        ora     #$20
@call_key:
        ldy     key_low,x
        sty     view_vec
        ldy     key_high,x
        sty     view_vec+1
        jsr     @call
        jmp     keys_serve
@call:  jmp     (view_vec)
@dash:  jsr     dash_open
        jmp     keys_serve
@settings:
        lda     #VIEW_SETTINGS
        jsr     view_open
        jmp     keys_serve
@sessions:
        jsr     sessions_open
        jmp     keys_serve
@none:  lda     edit_new        ; what was typed shows at once
        beq     @done
        lda     view
        cmp     #VIEW_CHAT
        bne     @done
        jmp     prompt_draw
@done:  rts

; Once a frame: the view's own work, the title, the status line.
; Clobbers A, X, Y.
views_frame:
        lda     frame_count
        cmp     last_frame
        beq     @same
        sta     last_frame
        jsr     turn_frame
        jsr     settings_serve
        jsr     title_frame
        jsr     status_frame
        ldx     view
        lda     frame_low,x
        sta     view_vec
        lda     frame_high,x
        sta     view_vec+1
        jmp     (view_vec)
@same:  rts

.rodata
.define DRAWS connect_draw, chat_draw, approve_draw, confirm_draw, dash_draw, diff_draw, settings_draw, sessions_draw, folders_draw
draw_low:       .lobytes DRAWS
draw_high:      .hibytes DRAWS
.define KEYS connect_key, chat_key, approve_key, confirm_key, dash_key, diff_key, settings_key, sessions_key, folders_key
key_low:        .lobytes KEYS
key_high:       .hibytes KEYS
.define FRAMES connect_frame, chat_frame, approve_frame, confirm_frame, dash_frame, diff_frame, settings_frame, sessions_frame, folders_frame
frame_low:      .lobytes FRAMES
frame_high:     .hibytes FRAMES
free:           .byte 0, 1, 0, 0, 1, 1, 1, 1, 1
        .assert draw_high - draw_low = VIEW_COUNT, error, "a line for each view"
        .assert key_high - key_low = VIEW_COUNT, error, "a line for each view"
        .assert frame_high - frame_low = VIEW_COUNT, error, "a line for each view"
        .assert * - free = VIEW_COUNT, error, "a line for each view"
