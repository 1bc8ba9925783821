package link

// The RFC 1662 frame check: the polynomial reversed, the start, and what a
// packet gives together with its check.
const (
	fcsPoly  = 0x8408
	fcsStart = 0xffff
	fcsGood  = 0xf0b8
)

var fcsTable = makeFCSTable()

func makeFCSTable() (t [256]uint16) {
	for i := range t {
		v := uint16(i)
		for range 8 {
			if v&1 != 0 {
				v = v>>1 ^ fcsPoly
			} else {
				v >>= 1
			}
		}
		t[i] = v
	}
	return t
}

// fcs runs the check over b.
func fcs(sum uint16, b []byte) uint16 {
	for _, c := range b {
		sum = sum>>8 ^ fcsTable[byte(sum)^c]
	}
	return sum
}
