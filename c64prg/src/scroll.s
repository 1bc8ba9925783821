; Keys that scroll lines, for the views that show them.
.include "p64.inc"

.zeropage
scroll_left:    .res 1

.bss
scroll_rows:    .res 1

.code
; In: A = key, X = rows on the screen. Out: carry clear: it was such a key; set:
; not, and A is the key. Clobbers A, X, Y, ptr.
lines_key:
        stx     scroll_rows
        cmp     #KEY_DOWN
        beq     @down
        cmp     #KEY_JOYDOWN
        beq     @down
        cmp     #KEY_UP
        beq     @up
        cmp     #KEY_JOYUP
        beq     @up
        dex
        cmp     #KEY_F8
        beq     @page
        cmp     #KEY_F7
        beq     @back
        cmp     #KEY_HOME
        beq     @home
        ldx     #0              ; 256 rows at a time to the end
        cmp     #KEY_END
        beq     @page
        sec
        rts
@down:  ldx     #1
@page:  stx     scroll_left
@more:  lda     scroll_rows
        jsr     lines_down
        bcs     @done
        dec     scroll_left
        bne     @more
@done:  clc
        rts
@up:    ldx     #1
@back:  stx     scroll_left
@less:  jsr     lines_up
        bcs     @done
        dec     scroll_left
        bne     @less
        clc
        rts
@home:  jsr     lines_home
        clc
        rts
