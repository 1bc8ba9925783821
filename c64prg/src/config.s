; The configuration block that a bridge patches, and the copy of it that the
; user may edit. It stands at file offset 17: nothing before it may move.
.include "p64.inc"

.segment "CONFIG"
        .assert * = PRG_START + 15, error, "block at file offset 17"
        .byte   "P64CFG1"
config_block:
        .res    HOST_SIZE, 0    ; host: name or dotted address, zero padded
        .word   6464            ; port
        .res    PAIRING_CODE_SIZE, 0
        .byte   0               ; link: 0 UCI, 1 ACIA, 2 UCI if there is one
        .byte   0               ; baud: see acia.s
config_scheme:
        .byte   0
config_sound:
        .byte   1

.bss
; The address in use, in the block's order.
host:           .res HOST_SIZE
port:           .res 2
pair_code:      .res PAIRING_CODE_SIZE
link_way:       .res 1          ; 0: UCI, 1: serial
baud:           .res 1
        .assert * - host = ADDRESS_SIZE, error, "the record keeps less"

.code
; Takes the block, or the lease record's address where there is a lease to take
; up. If that is the block's too, the block's pairing code is the newer one.
; Clobbers A, X.
config_load:
        lda     have_lease
        beq     @block
        ldx     #HOST_SIZE + 2 - 1
@look:  lda     config_block,x
        cmp     host,x
        bne     config_done
        dex
        bpl     @look
        ldx     #ADDRESS_SIZE - 2 - 1 ; but the way is the one that was chosen
        bne     config_copy     ; always
@block:
        lda     config_scheme
        sta     scheme
        lda     config_sound
        sta     sound_on
config_address:
        ldx     #ADDRESS_SIZE - 1
config_copy:
        lda     config_block,x
        sta     host,x
        dex
        bpl     config_copy
        lda     link_way
        cmp     #2
        bcc     config_done
        jsr     uci_find
        lda     #0
        rol                     ; carry set: there is none
        sta     link_way
config_done:
        rts
