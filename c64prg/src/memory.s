; What the memory map promises, checked when the program is assembled and
; linked.
.include "p64.inc"
.import __MAIN_START__, __MAIN_SIZE__, __MAIN_LAST__
.import __NMI_START__, __NMI_SIZE__, __LOW_START__, __HIGH_START__, __HIGH_SIZE__

.assert __MAIN_START__ = PRG_START, error, "program starts elsewhere"
.assert __MAIN_START__ + __MAIN_SIZE__ = PRG_LIMIT, error, "program area differs"
.assert __MAIN_LAST__ <= PRG_LIMIT, error, "program runs into the transcript"
.assert __LOW_START__ = EDIT_RAM, error, "editor area differs"
.assert __HIGH_START__ = VARS, error, "variables differ"
.assert __HIGH_START__ + __HIGH_SIZE__ = VECTORS, error, "variables reach the vectors"

.assert RX_BUF + RX_SIZE <= TX_BUF, error, "receive buffer too long"
.assert RX_SIZE >= FRAME_MAX_TO_C64 + READ_MAX, error, "receive buffer too small"
.assert TX_BUF + TX_SIZE <= STAT_BUF, error, "transmit buffer too long"
.assert STAT_BUF + STAT_SIZE <= NMI_CODE, error, "status buffer too long"
.assert __NMI_START__ = NMI_CODE .and __NMI_START__ + __NMI_SIZE__ = SER_RING, error, "NMI area differs"
.assert SER_RING .mod $100 = 0 .and SER_RING + $100 <= PRG_START - 1, error, "ring out of place"
.assert RING + RING_LINES * LINE_COLS <= VIEW_BUF, error, "transcript too long"
.assert VIEW_END - VIEW_BUF >= 12 * 1024, error, "view buffer too small"
.assert VIEW_END <= RECALL_LOW, error, "view buffer runs into recall"
.assert RECALL_LOW + 4 * PROMPT_MAX <= RECORD, error, "recall runs into the record"
.assert RECALL_IO + 5 * PROMPT_MAX <= $E000, error, "recall runs into the screen"
.assert RECORD >= $C000 .and RECORD + RECORD_SIZE <= $D000, error, "record out of place"
.assert SCREEN .mod $400 = 0 .and FONT .mod $800 = 0, error, "VIC cannot show this"
.assert (SCREEN >> 14) = 3 .and (FONT >> 14) = 3, error, "not in VIC bank 3"
.assert ROW_WIN + WIN_ROWS = ROW_STATUS, error, "rows"
.assert ROW_EDIT + EDIT_ROWS = 25, error, "rows"
