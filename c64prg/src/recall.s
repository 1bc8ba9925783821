; The last eight prompts, and the draft that was left to look at them.
.include "p64.inc"

DRAFT = RECALLS                 ; the slot behind the prompts'

.zeropage
recall_pos:     .res 1          ; which is in the editor, 1 the newest, 0 none

.code
; Keeps the editor's text as the newest prompt. Clobbers A, X, Y, ptr, ptr2.
recall_push:
        ldx     recall_head
        inx
        txa
        and     #RECALLS - 1
        sta     recall_head
        tax
        lda     recall_count
        cmp     #RECALLS
        bcs     @full
        inc     recall_count
@full:  lda     #0
        sta     recall_pos
; Keeps the editor's text. In: X = slot. Clobbers A, X, Y, ptr, ptr2.
slot_keep:
        lda     edit_len
        sta     slot_len_low,x
        sta     num
        lda     edit_len+1
        sta     slot_len_high,x
        sta     num+1
        lda     slot_low,x
        sta     ptr2
        lda     slot_high,x
        sta     ptr2+1
        set16   ptr, EDIT_RAM
        txa
        pha
        jsr     slot_check
        tay
        pla
        tax
        tya
        sta     slot_sum,x
        lda     slot_len_high,x ; slot_check has counted them down
        sta     num+1
        lda     slot_len_low,x
        sta     num
        set16   ptr, EDIT_RAM
; Copies also from and to the RAM beneath the I/O. In: ptr, ptr2 = from, to,
; num = bytes. Clobbers A, X, Y, ptr, ptr2.
slot_copy:
        lda     #<nmi_beneath   ; the interrupts bring the I/O back for themselves
        sta     VECTORS
        lda     #BANK_RAM
        sta     $01
        ldy     #0
        ldx     num+1
        beq     @rest
@page:  lda     (ptr),y
        sta     (ptr2),y
        iny
        bne     @page
        inc     ptr+1
        inc     ptr2+1
        dex
        bne     @page
@rest:  cpy     num
        beq     @done
        lda     (ptr),y
        sta     (ptr2),y
        iny
        bne     @rest           ; always
@done:  lda     #BANK_IO
        sta     $01
        lda     #<nmi_entry
        sta     VECTORS
        rts

; Copies the newest prompt. In: ptr2 = to. Out: A/X = its length.
; Clobbers Y, ptr, ptr2, num.
recall_newest:
        ldx     recall_head
        jsr     slot_at
        jsr     slot_copy
        ldx     recall_head
        lda     slot_len_low,x
        pha
        lda     slot_len_high,x
        tax
        pla
        rts

; In: X = slot. Out: ptr, num. Clobbers A.
slot_at:
        lda     slot_low,x
        sta     ptr
        lda     slot_high,x
        sta     ptr+1
        lda     slot_len_low,x
        sta     num
        lda     slot_len_high,x
        sta     num+1
        rts

; Brings the newest prompt back to the editor. Clobbers A, X, Y.
recall_take_newest:
        lda     #0
        sta     recall_pos
        ldx     recall_head
; Brings a slot into the editor. In: X = slot. Clobbers A, X, Y.
slot_take:
        jsr     slot_at
        mov16   edit_len, num
        mov16   edit_cur, num
        set16   ptr2, EDIT_RAM
        jsr     slot_copy
        jmp     edit_change

; An older prompt, if there is one. Clobbers A, X, Y.
recall_older:
        lda     recall_pos
        cmp     recall_count
        bcs     @none
        cmp     #0
        bne     @next
        ldx     #DRAFT
        jsr     slot_keep
@next:  inc     recall_pos
        jsr     recall_show
        lda     #0              ; to the end of its first row, from where cursor
        sta     edit_cur        ; up goes on to the next
        sta     edit_cur+1
        jsr     layout
        lda     #$FF
        sta     cursor_col
        ldx     #0
        jmp     to_row
@none:  rts

; A newer one; the draft behind the newest. Clobbers A, X, Y.
recall_newer:
        lda     recall_pos
        beq     @none
        dec     recall_pos
        bne     recall_show
        ldx     #DRAFT
        bne     slot_take       ; always
@none:  rts

recall_show:
        lda     recall_head     ; the newest is number 1
        sec
        sbc     recall_pos
        clc
        adc     #1
        and     #RECALLS - 1
        tax
        jmp     slot_take

; The sum of a text. In: ptr, num = length. Out: A. Clobbers Y, ptr, num, tmp.
slot_check:
        lda     #$64
        sta     tmp
        ldy     #0
@next:  lda     num
        ora     num+1
        beq     @done
        lda     tmp
        asl
        adc     (ptr),y
        sta     tmp
        inc     ptr
        bne     @same
        inc     ptr+1
@same:  lda     num
        bne     @low
        dec     num+1
@low:   dec     num
        jmp     @next
@done:  lda     tmp
        rts

; After a restart: are the prompts still in RAM as the record has them? If one is
; not, all are forgotten. Clobbers A, X, Y, ptr, ptr2, num, tmp.
recall_load:
        ldx     #RECALLS - 1
@slot:  stx     recall_pos
        jsr     slot_at
        lda     num+1
        cmp     #>(PROMPT_MAX + 1) + 1
        bcs     @forget
        set16   ptr2, VIEW_BUF  ; out from beneath the I/O
        jsr     slot_copy
        ldx     recall_pos
        jsr     slot_at
        set16   ptr, VIEW_BUF
        jsr     slot_check
        ldx     recall_pos
        cmp     slot_sum,x
        bne     @unused
@next:  dex
        bpl     @slot
        bmi     @done           ; always
@unused:
        lda     slot_len_low,x  ; a slot that was never filled has no sum
        ora     slot_len_high,x
        beq     @next
@forget:
        lda     #0
        sta     recall_count
@done:  lda     #0
        sta     recall_pos
        rts

.rodata
slot_low:
        .repeat 5, i
        .byte   <(RECALL_IO + i * PROMPT_MAX)
        .endrepeat
        .repeat 4, i
        .byte   <(RECALL_LOW + i * PROMPT_MAX)
        .endrepeat
slot_high:
        .repeat 5, i
        .byte   >(RECALL_IO + i * PROMPT_MAX)
        .endrepeat
        .repeat 4, i
        .byte   >(RECALL_LOW + i * PROMPT_MAX)
        .endrepeat
        .assert * - slot_high = RECALLS + 1, error, "a slot for each prompt"
