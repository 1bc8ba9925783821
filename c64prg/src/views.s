; The views and the way between them. A view draws itself, takes the keys, and
; is called once a frame. Adding one means a line in each table and a number in
; codes.inc.
.include "p64.inc"

.bss
view:           .res 1          ; the one that is shown
view_under:     .res 1          ; what an approval or a question covered
view_vec:       .res 2

.code
; Opens a view. In: A = VIEW_... Clobbers A, X, Y.
view_open:
        sta     view
view_draw:
        ldx     view
        lda     draw_low,x
        sta     view_vec
        lda     draw_high,x
        sta     view_vec+1
        jsr     title_draw
        jsr     status_draw
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
        jmp     keys_serve
@view:  ldx     view
        ldy     key_low,x
        sty     view_vec
        ldy     key_high,x
        sty     view_vec+1
        jsr     @call
        jmp     keys_serve
@call:  jmp     (view_vec)
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
draw_low:       .lobytes connect_draw, chat_draw, approve_draw, confirm_draw
draw_high:      .hibytes connect_draw, chat_draw, approve_draw, confirm_draw
key_low:        .lobytes connect_key, chat_key, approve_key, confirm_key
key_high:       .hibytes connect_key, chat_key, approve_key, confirm_key
frame_low:      .lobytes connect_frame, chat_frame, approve_frame, confirm_frame
frame_high:     .hibytes connect_frame, chat_frame, approve_frame, confirm_frame
        .assert draw_high - draw_low = VIEW_COUNT, error, "a line for each view"
