; The greeting: Hello, the pairing code, the lease, the user's settings.
.include "p64.inc"

.zeropage
caps:           .res 2          ; capabilities of the bridge
setup_step:     .res 1          ; next step of LINK_SETUP
state_active:   .res 1          ; ReconnectState: a turn runs
state_latest:   .res 2          ; ReconnectState: the last sequence
take_up:        .res 1          ; TAKE_...

.bss

.code
; Gives the greeting another ten seconds. Clobbers A.
shake_on:
        after   shake_until, SECONDS(10)
        rts

; HelloOk: major, minor, capabilities.
got_hello_ok:
        lda     link_state
        cmp     #LINK_HELLO_W
        bne     @ignore
        ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        cmp     #MAJOR_VERSION
        beq     @version
        lda     #ERR_VERSION
        jmp     link_lost
@version:
        iny
        iny
        lda     (rx_ptr),y
        sta     caps
        iny
        lda     (rx_ptr),y
        sta     caps+1
        and     #>CAP_PAIRING
        beq     @lease
        lda     pair_code
        beq     @lease
        lda     #LINK_PAIR
        bne     @set            ; always
@lease: lda     #LINK_LEASE
@set:   sta     link_state
@ignore:
        rts

got_pair_state:
        lda     link_state
        cmp     #LINK_PAIR_W
        bne     @ignore
        lda     #LINK_LEASE
        sta     link_state
@ignore:
        rts

; LeaseState: a fresh lease, which counts from 1.
got_lease_state:
        lda     link_state
        cmp     #LINK_LEASE_W
        bne     @ignore
        ldy     #HEADER_SIZE + TOKEN_SIZE - 1
        ldx     #TOKEN_SIZE - 1
@token: lda     (rx_ptr),y
        sta     token,x
        dey
        dex
        bpl     @token
        lda     #1
        sta     have_lease
        sta     setup_open
        lda     #0
        sta     applied
        sta     applied+1
        sta     safe_seq
        sta     safe_seq+1
        sta     gauge           ; that of another session
        sta     setup_step
        sta     take_up
        jsr     record_save
        lda     #LINK_SETUP
        sta     link_state
        ldax    msg_welcome
        ldy     #ROLE_NOTE
        jmp     block_note
@ignore:
        rts

; ReconnectState: token, active, latest.
got_reconnect_state:
        ldy     #HEADER_SIZE + TOKEN_SIZE
        lda     (rx_ptr),y
        sta     state_active
        iny
        lda     (rx_ptr),y
        sta     state_latest
        iny
        lda     (rx_ptr),y
        sta     state_latest+1
        jmp     turn_replay

; ReconnectDone: every frame that was missed has been applied.
got_reconnect_done:
        lda     link_state
        cmp     #LINK_REPLAY
        bne     @ignore
        lda     take_up
        cmp     #TAKE_HISTORY
        beq     @history
        jsr     turn_settle
        lda     take_up
        beq     @on
        lda     #0
        sta     take_up
        jsr     setup_again
        bne     @set            ; always
@on:    lda     setup_open      ; a cut in the middle: all of it again
        beq     @done
        jsr     setup_again
        bne     @set            ; always
@done:  jmp     shake_done
@history:
        lda     #LINK_HISTORY
@set:   sta     link_state
        lda     #0
        sta     control_state
@ignore:
        rts

; Where the setup of a lease begins that was cut in it, or taken up. A fresh one
; has all steps before it, also when a reset came between them. One that was taken
; up keeps its workspace, for to set it would leave the session; the user's other
; values are told again once it is on line, and the title's words are asked for.
; Out: setup_step, setup_open, A = LINK_SETUP. Clobbers X.
setup_again:
        ldx     setup_open
        bne     @open
        lda     user_set
        and     #SET_SETTINGS | SET_ACCESS
        sta     set_want
        ldx     #SETUP_TITLE + 1
        stx     setup_open
@open:  dex
        stx     setup_step
        lda     #LINK_SETUP
        rts

; On line. Clobbers A, X, Y.
shake_done:
        lda     #LINK_ON
        sta     link_state
        lda     #0
        sta     setup_open
        jsr     record_save     ; a reset need not set it up again
        mov16   last_in, time
        jmp     link_changed

; The title's words have come, the last of the setup: a prompt need not wait
; until the READ behind them ends, which takes four seconds on some firmware.
; Clobbers A.
setup_done:
        lda     link_state
        cmp     #LINK_SETUP
        bne     @none
        lda     setup_step
        cmp     #SETUP_STEPS
        bcs     shake_done
@none:  rts

; What a step of LINK_SETUP sends. Out: carry clear: a request is in TX_BUF;
; set: nothing. Clobbers A, X, Y.
setup_pick:
        lda     control_state
        bne     @wait           ; one request at a time
@next:  ldx     setup_step
        cpx     #SETUP_STEPS
        bcs     @done
        inc     setup_step
        lda     caps            ; a bridge that lacks it would hang up
        and     setup_caps,x
        beq     @next
        lda     user_set
        and     setup_needs,x
        beq     @skip
@send:  lda     #CONTROL_SENT
        sta     control_state
        cpx     #1
        bcc     @settings
        beq     @access
        cpx     #SETUP_TITLE
        bcc     @workspace
        lda     #TAB_STATUS
        jmp     send_dashboard
@learn: lda     #CONTROL_SENT   ; nothing set yet: what does the device say
        sta     control_state
        lda     #FRAME_SETTINGS_GET
        jmp     send_empty
@settings:
        jmp     send_settings
@access:
        jmp     send_access
@workspace:
        jmp     send_workspace
@skip:  cpx     #0
        beq     @learn
        cpx     #SETUP_TITLE
        bne     @next
        beq     @send           ; the title bar asks for the provider's name
@done:  jsr     shake_done
@wait:  sec
        rts

.rodata
setup_needs:
        .byte   SET_SETTINGS, SET_ACCESS, SET_WORKSPACE, 0
SETUP_STEPS = * - setup_needs
setup_caps:
        .byte   <CAP_SETTINGS, <CAP_SETTINGS, <CAP_SESSIONS, <CAP_DASHBOARD
        .assert SETUP_TITLE = SETUP_STEPS - 1, error, "the title comes last"
