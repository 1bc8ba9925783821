package linktest

import "math/rand/v2"

// Faults is what one direction of a line does to its bytes, each with a
// probability for every byte.
type Faults struct {
	Flip   float64 // one bit is wrong
	Lose   float64 // it does not arrive
	Double float64 // it arrives twice
	Insert float64 // a byte that nobody sent comes before it
}

// Rough is a line on which every tenth full packet or so is damaged.
var Rough = Faults{Flip: 0.0002, Lose: 0.0002, Double: 0.0002, Insert: 0.0002}

// apply says what arrives in place of c.
func (f Faults) apply(r *rand.Rand, c byte) []byte {
	if f == (Faults{}) {
		return []byte{c}
	}
	var out []byte
	if r.Float64() < f.Insert {
		out = append(out, byte(r.Uint32()))
	}
	if r.Float64() < f.Flip {
		c ^= 1 << r.IntN(8)
	}
	if r.Float64() < f.Lose {
		return out
	}
	if r.Float64() < f.Double {
		out = append(out, c)
	}
	return append(out, c)
}

// Resample is what a receiver at one speed reads of bytes that were sent back to
// back at another: it samples in the middle of its own bits, and looks for the
// next start bit where its own stop bit should be.
func Resample(b []byte, sent, received int) []byte {
	if sent == received || len(b) == 0 {
		return b
	}
	level := func(t float64) bool { // t in seconds
		i := int(t * float64(sent))
		if i/10 >= len(b) {
			return true // idle
		}
		switch k := i % 10; k {
		case 0:
			return false
		case 9:
			return true
		default:
			return b[i/10]>>(k-1)&1 == 1
		}
	}
	bit, end := 1/float64(received), float64(len(b))*10/float64(sent)
	step := min(bit, 1/float64(sent)) / 8
	var out []byte
	for t := 0.0; t < end; {
		if level(t) {
			t += step
			continue
		}
		var c byte
		for k := range 8 {
			if level(t + bit*(1.5+float64(k))) {
				c |= 1 << k
			}
		}
		out = append(out, c)
		t += bit * 9.5
	}
	return out
}
