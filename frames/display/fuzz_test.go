package display

import (
	"bytes"
	"testing"
)

// FuzzShaper feeds a text in pieces whose lengths, and the calls after each of
// them, come from the plan.
func FuzzShaper(f *testing.F) {
	f.Add("# A **b** `c`\n- [d](e)\n```go\nx\n```\n| a |\n|---|\n| b |\n", []byte{1, 2, 0x43, 0x85}, byte(3))
	f.Add("\x1b[31mé日👨‍👩‍👧\u009b0m=\u0338 &#27;[1m \xff\r\n\tx", []byte{1}, byte(1))
	for _, piece := range fragments {
		f.Add(piece+"a"+piece, []byte{0x81, 1}, byte(2))
	}
	f.Fuzz(func(t *testing.T, text string, plan []byte, flags byte) {
		opts := Options{Palette: flags&1 != 0, Markdown: flags&2 != 0}
		whole := New(opts)
		want := whole.Flush(whole.Write(nil, text))
		s := New(opts)
		var got []byte
		flushed := false
		for i, rest := 0, text; rest != ""; i++ {
			n, call := 1, byte(0)
			if len(plan) > 0 {
				n, call = 1+int(plan[i%len(plan)]&0x3F), plan[i%len(plan)]>>6
			}
			n = min(n, len(rest))
			got = s.Write(got, rest[:n])
			rest = rest[n:]
			switch call {
			case 1:
				got = s.Settle(got)
				flushed = flushed || bytes.ContainsRune([]byte(text), stroke)
			case 2:
				got = s.Flush(got)
				flushed = true
			}
		}
		got = s.Flush(got)
		if !flushed && !bytes.Equal(got, want) {
			t.Errorf("split %q\nwhole %q", got, want)
		}
		for _, b := range [][]byte{got, want, Line(text, opts)} {
			if i := unsafeByte(b, opts.Palette); i >= 0 {
				t.Errorf("byte %02X at %d of %q", b[i], i, b)
			}
		}
	})
}
