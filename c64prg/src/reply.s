; What a UCI command answered: its data, its status text and the numbers in it.
.include "p64.inc"

.code
; Takes the reply's data and its status text. Clobbers A, X, Y, ptr, num.
take_reply:
        lda     #0
        sta     uci_count
        sta     uci_count+1
        lda     uci_op
        cmp     #NET_READ
        beq     @counted
        cmp     #NET_WRITE
        beq     @counted
        ldx     #0
@short: lda     UCI_CONTROL     ; on an error there is no data at all
        jsr     uci_gap
        and     #$80
        beq     @text
        lda     UCI_DATA
        jsr     uci_gap
        sta     uci_reply,x
        inx
        stx     uci_count
        cpx     #12
        bcc     @short
        bcs     @text           ; always

@counted:
        lda     UCI_CONTROL
        jsr     uci_gap
        and     #$80
        beq     @text
        lda     UCI_DATA
        jsr     uci_gap
        sta     uci_count
        lda     UCI_DATA
        jsr     uci_gap
        sta     uci_count+1
        lda     uci_op
        cmp     #NET_READ
        bne     @text
        jsr     take_data
@text:  jmp     take_status

; Copies the data of a READ to uci_ptr, counted by its header: DATA_AV does not
; end in every case. Clobbers A, X, Y, num.
take_data:
        ldx     uci_count
        ldy     uci_count+1
        cpy     #>READ_MAX
        bcc     @fits
        bne     @none           ; $FFFF, or more than was asked for
        cpx     #<READ_MAX + 1
        bcs     @none
@fits:  bit     turbo
        bmi     @fast
        tya
        beq     @rest
        ldy     #0              ; a whole page
@page:  lda     UCI_DATA        ; 4
        sta     (uci_ptr),y     ; 6
        iny                     ; 2
        lda     UCI_DATA        ; 4
        sta     (uci_ptr),y     ; 6
        iny                     ; 2
        bne     @page           ; 3 = 13.5 a byte
        inc     uci_ptr+1
@rest:  ldx     uci_count
        beq     @none
        ldy     #0
@byte:  lda     UCI_DATA        ; 4
        sta     (uci_ptr),y     ; 6
        iny                     ; 2
        dex                     ; 2
        bne     @byte           ; 3 = 17 a byte
@none:  rts

@fast:  stx     num             ; with the distance, at turbo speed
        sty     num+1
        ldy     #0
@next:  lda     num
        ora     num+1
        beq     @none
        lda     UCI_DATA
        jsr     uci_gap
        sta     (uci_ptr),y
        iny
        bne     @same
        inc     uci_ptr+1
@same:  lda     num
        bne     @low
        dec     num+1
@low:   dec     num
        jmp     @next

; Reads the status text and the numbers in it: "02,NO DATA: 11" gives 2 and 11.
; The second is read to its end: "113" begins with "11".
; Out: uci_code, uci_number ($FFFF: there is none). Clobbers A, X, Y, num.
take_status:
        ldx     #0
@next:  lda     UCI_CONTROL
        jsr     uci_gap
        and     #$40
        beq     @end
        lda     UCI_STATUS
        jsr     uci_gap
        sta     STAT_BUF,x
        inx
        cpx     #STAT_SIZE - 1
        bcc     @next
@end:   lda     #0
        sta     STAT_BUF,x

        lda     #98             ; no text at all: not good
        cpx     #2
        bcc     @code
        lda     STAT_BUF
        and     #$0F
        sta     tmp
        asl
        asl
        adc     tmp
        asl                     ; * 10
        sta     tmp
        lda     STAT_BUF+1
        and     #$0F
        clc
        adc     tmp
@code:  sta     uci_code

        lda     #$FF
        sta     uci_number
        sta     uci_number+1
        ldx     #0
@colon: lda     STAT_BUF,x
        beq     @done
        inx
        cmp     #':'
        bne     @colon
        lda     #0
        sta     uci_number
        sta     uci_number+1
@digit: lda     STAT_BUF,x
        beq     @done
        inx
        sec
        sbc     #'0'
        cmp     #10
        bcs     @digit          ; the blank before it
        pha
        jsr     ten_times
        pla
        clc
        adc     uci_number
        sta     uci_number
        bcc     @digit
        inc     uci_number+1
        bcs     @digit          ; always
@done:  rts

; uci_number = uci_number * 10. Clobbers A, num.
ten_times:
        asl     uci_number
        rol     uci_number+1
        mov16   num, uci_number
        asl     uci_number
        rol     uci_number+1
        asl     uci_number
        rol     uci_number+1
        lda     uci_number
        clc
        adc     num
        sta     uci_number
        lda     uci_number+1
        adc     num+1
        sta     uci_number+1
        rts
