; The connect screen: where to, and how it goes. fields.s edits the address.
.include "p64.inc"

ROW_LOGO    = 2
ROW_WHAT    = 7
ROW_STATE   = 14
ROW_WORDS   = 15
ROW_OFFER   = 19

.zeropage
connect_new:    .res 1          ; 1: draw the state again

.bss
connect_second: .res 1          ; seconds that it shows

.code
connect_draw:
        ldx     #ROW_WIN
        lda     #ROW_EDIT
        jsr     screen_clear
        lda     #ROW_LOGO
        jsr     logo_draw
        ldx     #ROW_WHAT
        ldy     #5
        lda     #ROLE_HINT
        jsr     screen_at
        ldax    msg_what
        jsr     screen_text
        ldx     #ROW_WHAT + 1
        jsr     screen_rule
        ldx     #ROW_EDIT - 1
        jsr     screen_rule
        jsr     fields_draw
        lda     have_lease
        beq     @state
        ldx     #ROW_OFFER
        ldax    msg_offer
        jsr     connect_note
        lda     link_state      ; nothing runs yet: the offer's own keys
        bne     @state
        ldax    msg_connect_offer
        jsr     hint_rows
        jmp     connect_state
@state: jsr     connect_hints
        jmp     connect_state

; The keys that work. Clobbers A, X, Y.
connect_hints:
        lda     field
        bne     @edit
        lda     link_state
        cmp     #LINK_WAIT
        bcs     @runs
        lda     have_lease
        bne     @offer
        ldax    msg_connect_idle
        jmp     hint_rows
@offer: ldax    msg_connect_offer
        jmp     hint_rows
@runs:  ldax    msg_connect_runs
        jmp     hint_rows
@edit:  ldax    msg_connect_edit
        jmp     hint_rows

; A text with line breaks. In: A/X = text, first row: the caller's Y... see
; below. Clobbers A, X, Y.
connect_note:
        sta     ptr
        stx     ptr+1
        lda     #ROW_OFFER
        sta     tmp3
        lda     #ROLE_NOTE
        jmp     paragraph

; What happens, and the words for what went wrong. Clobbers A, X, Y.
connect_state:
        lda     #0
        sta     connect_new
        ldx     #ROW_STATE
        ldy     #1
        lda     #ROLE_HEAD
        jsr     screen_at
        ldx     link_state
        ldy     state_texts,x
        lda     text_low,y
        ldx     text_high,y
        jsr     screen_text
        jsr     connect_seconds
        sta     connect_second
        cmp     #$FF
        beq     @plain
        jsr     screen_byte
@plain: jsr     screen_rest
        lda     #ROW_WORDS
        sta     tmp3
        lda     link_error
        beq     @none
        jsr     error_long
        lda     #ROLE_ERROR
        jsr     paragraph
@none:  ldx     tmp3
        lda     #ROW_OFFER
        jmp     screen_clear

; The seconds that stand behind the state: to the next try, or since this one
; began; $FF: none. Out: A. Clobbers X, Y, num.
connect_seconds:
        lda     link_state
        cmp     #LINK_WAIT
        beq     @wait
        bcc     @none
        lda     step_began
        ldx     step_began+1
        jmp     clock_since
@wait:  jmp     wait_seconds
@none:  lda     #$FF
        rts

connect_frame:
        lda     link_state      ; there is a lease: on to the chat
        cmp     #LINK_SETUP
        bcs     @chat
        lda     connect_new
        bne     @draw
        jsr     connect_seconds
        cmp     connect_second
        beq     @same
        jmp     connect_state
@draw:  jsr     connect_hints
        jmp     connect_state
@same:  rts
@chat:  lda     #VIEW_CHAT
        jmp     view_open

; In: A = key. Clobbers A, X, Y.
connect_key:
        ldx     field
        beq     @keys
        jmp     fields_key
@keys:  cmp     #KEY_RETURN
        beq     @return
        cmp     #KEY_STOP
        beq     @stop
        ora     #$20
        cmp     #'n'
        beq     @new
        cmp     #'e'
        beq     @edit
        cmp     #'s'
        beq     @way
        cmp     #'q'
        beq     @quit
        rts

@way:   lda     link_state
        cmp     #LINK_WAIT
        bcs     @busy
        jmp     way_next

@return:
        lda     link_state
        cmp     #LINK_WAIT
        beq     @hurry
        bcs     @busy
        lda     host
        ora     link_way        ; the line goes to one place only
        beq     @where
        lda     #TAKE_NONE
        ldx     have_lease
        beq     @start
        lda     #TAKE_HISTORY
@start: sta     take_up
        jmp     link_start
@where: lda     #ERR_NO_HOST    ; nowhere to go yet
        jsr     link_refuse
        jmp     @field
@hurry: mov16   retry_at, time
@busy:  rts

@new:   lda     have_lease      ; not that session: a fresh one
        beq     @busy
        lda     link_state
        cmp     #LINK_WAIT
        bcs     @busy
        lda     #0
        sta     have_lease
        lda     config_block    ; to where this program is configured, if it is
        beq     @same
        jsr     config_address
@same:  jsr     record_save
        jsr     connect_draw
        lda     #KEY_RETURN
        jmp     connect_key

@stop:  lda     link_state
        cmp     #LINK_HELD
        bcc     @busy
        jsr     link_stop
        jmp     connect_draw

@edit:  lda     link_state
        cmp     #LINK_WAIT
        bcc     @field
        jsr     link_stop
@field: lda     #1
        jmp     fields_open

@quit:  lda     link_state
        cmp     #LINK_WAIT
        bcs     @busy
        jsr     acia_close
; Back to BASIC: the socket is closed on this way too. Does not return.
        sei
        lda     #BANK_ROM
        sta     $01
        jmp     ($FFFC)

.rodata
state_texts:
        .byte   0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7, 7
        .assert * - state_texts = LINK_COUNT_ALL, error, "words for each state"
.define STATES msg_s_idle, msg_s_held, msg_s_wait, msg_s_dial, msg_s_close, msg_s_hello, msg_s_pair, msg_s_lease
text_low:       .lobytes STATES
text_high:      .hibytes STATES
