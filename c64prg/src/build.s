; Frames to the bridge, built in TX_BUF. Each routine returns with carry clear.
.include "p64.inc"

TX_TEXT = TX_BUF + HEADER_SIZE

.code
; A frame without a payload. In: A = type. Clobbers A, X, Y.
send_empty:
        ldx     #SEND_OTHER
; In: A = type, X = SEND_...
send_kind:
        ldy     #0
; In: A = type, X = SEND_..., Y = length of the payload in TX_TEXT.
send_frame:
        sta     TX_BUF
        stx     tx_kind
        sty     TX_BUF+2
        lda     #0
        sta     TX_BUF+1
        sta     TX_BUF+3
        sta     tx_off
        sta     tx_off+1
        tya
        clc
        adc     #HEADER_SIZE
        sta     tx_len
        lda     #0
        adc     #0
        sta     tx_len+1
        clc
        rts

send_hello:
        ldx     #GREETING_LEN - 1
@copy:  lda     greeting,x
        sta     TX_TEXT,x
        dex
        bpl     @copy
        lda     #FRAME_HELLO
        ldx     #SEND_OTHER
        ldy     #GREETING_LEN
        bne     send_frame      ; always

; The code is typed in either case; the protocol has capitals.
send_pair:
        ldx     #PAIRING_CODE_SIZE - 1
@copy:  lda     pair_code,x
        sta     TX_TEXT,x
        dex
        bpl     @copy
        lda     #FRAME_PAIR
        ldx     #SEND_OTHER
        ldy     #PAIRING_CODE_SIZE
        bne     send_frame      ; always

send_reconnect:
        ldx     #TOKEN_SIZE - 1
@copy:  lda     token,x
        sta     TX_TEXT,x
        dex
        bpl     @copy
        lda     applied
        sta     TX_TEXT + TOKEN_SIZE
        lda     applied+1
        sta     TX_TEXT + TOKEN_SIZE + 1
        lda     #FRAME_RECONNECT
        ldx     #SEND_OTHER
        ldy     #TOKEN_SIZE + 2
        bne     send_frame      ; always

send_settings:
        lda     reasoning
        sta     TX_TEXT
        lda     display
        sta     TX_TEXT+1
        lda     #FRAME_SETTINGS_SET
        ldx     #SEND_OTHER
        ldy     #2
        bne     send_frame      ; always

send_access:
        lda     access
        sta     TX_TEXT
        lda     #FRAME_ACCESS_SET
        bne     one             ; always

; In: A = tab.
send_dashboard:
        sta     TX_TEXT
        lda     #FRAME_DASHBOARD_GET
one:    ldx     #SEND_OTHER
        ldy     #1
        jmp     send_frame

send_workspace:
        ldx     workspace_len
@copy:  lda     workspace-1,x
        sta     TX_TEXT-1,x
        dex
        bne     @copy
        lda     #FRAME_WORKSPACE_SET
        ldx     #SEND_OTHER
        ldy     workspace_len
        jmp     send_frame

; The answer names the request that the user saw.
send_decision:
        lda     decision
        sta     TX_TEXT
        lda     ask_seq
        sta     TX_TEXT+1
        lda     ask_seq+1
        sta     TX_TEXT+2
        ldy     #3
        lda     caps+1          ; a bridge that does not know the name gets none
        and     #>CAP_NAMED_DECISION
        bne     @named
        ldy     #1
@named: lda     #FRAME_APPROVAL_DECISION
        ldx     #SEND_DECISION
        jmp     send_frame

; The prompt is the newest recall.
send_prompt:
        set16   ptr2, TX_TEXT
        jsr     recall_newest
        sta     tx_len          ; its length
        stx     tx_len+1
        sta     TX_BUF+2
        stx     TX_BUF+3
        lda     #FRAME_USER_TEXT
        sta     TX_BUF
        lda     #SEND_PROMPT
        sta     tx_kind
        lda     #0
        sta     TX_BUF+1
        sta     tx_off
        sta     tx_off+1
        lda     tx_len
        clc
        adc     #HEADER_SIZE
        sta     tx_len
        bcc     @done
        inc     tx_len+1
@done:  clc
        rts

.rodata
greeting:
        .byte   GREETING
        .assert * - greeting = GREETING_LEN, error, "greeting"
