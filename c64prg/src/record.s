; The lease record: what a restarted program needs to take a lease up again, and
; to find its prompts. It
; stands where neither a reset nor loading the program writes, under a check
; sum. The fields below are the program's working copies; record_save writes
; them all.
.include "p64.inc"

.bss
record_fields:
have_lease:     .res 1          ; 1: token is a lease's
token:          .res TOKEN_SIZE
safe_seq:       .res 2          ; applied before the turn's first frame
socket:         .res 1
socket_open:    .res 1          ; 1: the firmware holds it for us
user_set:       .res 1          ; which of the user's values are known, SET_...
reasoning:      .res 1
display:        .res 1
access:         .res 1
workspace_len:  .res 1
workspace:      .res WORKSPACE_MAX
setup_open:     .res 1          ; 1 + the step that a cut setup begins with again
recall_count:   .res 1          ; prompts that are kept
recall_head:    .res 1          ; slot of the newest
slot_len_low:   .res RECALLS + 1
slot_len_high:  .res RECALLS + 1
slot_sum:       .res RECALLS + 1
record_scheme:  .res 1
record_sound:   .res 1
record_host:    .res ADDRESS_SIZE
FIELDS_SIZE = * - record_fields
        .assert FIELDS_SIZE <= RECORD_SIZE - 6, error, "record too long"

.code
; Writes the record. Clobbers A, X; keeps Y.
record_save:
        lda     scheme
        sta     record_scheme
        lda     sound_on
        sta     record_sound
        ldx     #ADDRESS_SIZE - 1
@host:  lda     host,x
        sta     record_host,x
        dex
        bpl     @host
        ldx     #FIELDS_SIZE
@copy:  lda     record_fields-1,x
        sta     RECORD + 6 - 1,x
        dex
        bne     @copy
        ldx     #3
@mark:  lda     magic,x
        sta     RECORD,x
        dex
        bpl     @mark
        jsr     check_sum
        sta     RECORD + 4
        stx     RECORD + 5
        rts

; Reads the record; leaves the fields zero when it is not whole. What is held
; open is known even so: nothing. Clobbers A, X, Y.
record_load:
        ldx     #3
@mark:  lda     magic,x
        cmp     RECORD,x
        bne     @none
        dex
        bpl     @mark
        jsr     check_sum
        cmp     RECORD + 4
        bne     @none
        cpx     RECORD + 5
        bne     @none
        ldx     #FIELDS_SIZE
@copy:  lda     RECORD + 6 - 1,x
        sta     record_fields-1,x
        dex
        bne     @copy
        lda     have_lease
        beq     @none
        lda     record_scheme
        sta     scheme
        lda     record_sound
        sta     sound_on
        ldx     #ADDRESS_SIZE - 1
@host:  lda     record_host,x
        sta     host,x
        dex
        bpl     @host
@none:  rts

; Two sums over the fields in the record, the second of the first's steps.
; Out: A, X. Clobbers tmp, tmp2.
check_sum:
        lda     #$64
        sta     tmp
        sta     tmp2
        ldx     #FIELDS_SIZE
@add:   lda     RECORD + 6 - 1,x
        clc
        adc     tmp
        sta     tmp
        adc     tmp2
        sta     tmp2
        dex
        bne     @add
        lda     tmp
        ldx     tmp2
        rts

.rodata
magic:  .byte   "P6R2"
