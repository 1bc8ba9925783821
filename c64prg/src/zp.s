; Zero page: the interrupt's own, and what several files use. Their flags and
; counters stand here too, in the file that they belong to: an access costs a
; byte and a cycle less. No ROM routine runs beside the program, so $02-$FF are
; free; p64.cfg keeps $F0-$FF out of its hands, where a test has its canaries.
; The interrupt's temporaries are used nowhere else.
.include "p64.inc"

.zeropage
; Interrupt only.
irq_row:        .res 1          ; row of the matrix that is looked at
irq_bits:       .res 1          ; its new presses
irq_tmp:        .res 1
irq_look:       .res 1          ; $80: a second look at the keyboard
irq_shift:      .res 1          ; 0 plain, 1 SHIFT, 2 C=
snd_ptr:        .res 2          ; next note of the tune
snd_wait:       .res 1          ; frames until it

; Written by the interrupt, read outside.
now:            .res 2          ; clock, ticks of 20 ms
frame_count:    .res 1          ; video frames
key_head:       .res 1          ; where the interrupt puts the next key

; Main program.
key_tail:       .res 1
time:           .res 2          ; the clock at the start of this pass
last_frame:     .res 1          ; frame_count of the last pass
ptr:            .res 2          ; argument and scratch pointers
ptr2:           .res 2
tmp:            .res 1          ; scratch, never kept across a call
tmp2:           .res 1
tmp3:           .res 1
num:            .res 2          ; number to print
scr:            .res 2          ; screen row that is written
col:            .res 2          ; its colours
scr_x:          .res 1          ; column
ink:            .res 1          ; colour
reverse:        .res 1          ; 0, or $80: reversed
rx_ptr:         .res 2          ; the frame that is applied
rx_len:         .res 1          ; its payload's length
line_ptr:       .res 2          ; last line of the transcript
line_col:       .res 1          ; column where the next character goes
word_col:       .res 1          ; column where the word there began
wrap_mode:      .res 1          ; bit 7: break at column 40, not at words
src_end:        .res 1          ; end of the text that is appended
uci_ptr:        .res 2          ; where received bytes go
edit_ptr:       .res 2
lines_end:      .res 2          ; where the next byte of a view's lines goes

; The serial link. The NMI looks at ser_hold.
acia:           .res 2          ; base of the chip, 0: none was looked for
ser_tail:       .res 1          ; next byte of the ring that is taken
ser_hold:       .res 1          ; where the ring's head is when RTS goes off
ser_end:        .res 1          ; where this pass ends taking
serial_left:    .res 1          ; looks at the chip that are left on this pass
in_len:         .res 1          ; bytes of the packet that comes
fcs_in:         .res 2          ; their check
fcs_out:        .res 2          ; check of the packet that goes
out_ptr:        .res 2          ; its data, less its head
