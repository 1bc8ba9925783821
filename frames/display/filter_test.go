package display

import (
	"strings"
	"testing"
)

func TestEscapeSequencesAndControlsAreDropped(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"csi", "\x1b[1;31mred\x1b[0m", "red"},
		{"csi with intermediates", "\x1b[?25l\x1b[4 qx", "x"},
		{"csi 8-bit", "\u009b31mred", "red"},
		{"osc ended by bel", "\x1b]0;title\x07x", "x"},
		{"osc ended by st", "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"osc 8-bit", "\u009d0;title\u009cx", "x"},
		{"dcs", "\x1bPq#0;2\x1b\\x", "x"},
		{"dcs holds a bel", "\x1bPq\x07r\x1b\\x", "x"},
		{"dcs sos pm apc 8-bit", "\u0090a\u009cb\u0098c\u009cd\u009ee\u009cf\u009fg\u009ch", "bdfh"},
		{"two characters", "\x1bcx\x1b7y\x1b=z", "xyz"},
		{"character set", "\x1b(Bx\x1b#8y", "xy"},
		{"escape in a sequence starts anew", "\x1b[3\x1b[1mx", "x"},
		{"escape in a string starts anew", "\x1b]0;t\x1b[1mx", "x"},
		{"cancelled", "\x1b[3\x18x\x1b]0;\x1ay", "xy"},
		{"a newline ends any sequence", "\x1b[3\nx\x1b]0;t\ny\x1b\nz", "\nx\ny\nz"},
		{"other than ascii ends a sequence", "\x1bé\x1b[é", "ee"},
		{"controls", "a\x00\x01\x07\x08\x0b\x0c\x0e\x7f\u0080\u0085b", "ab"},
		{"cr lf", "a\r\nb\rc\nd\r\r\ne\n\nf", "a\nb\nc\nd\n\ne\n\nf"},
		{"cr, sequence, lf", "a\r\x1b[K\nb", "a\nb"},
		{"unterminated csi", "\x1b[" + strings.Repeat("1", 127) + "11x", "11x"},
		{"unterminated string", "\x1b]" + strings.Repeat("a", maxString) + "bc", "bc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(c.in, false); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSequenceStaysOpenAcrossFlush(t *testing.T) {
	s := New(Options{})
	got := s.Flush(s.Write(nil, "a\x1b[3"))
	got = s.Flush(s.Write(got, "1mb\r"))
	got = s.Flush(s.Write(got, "\nc\x1b]0;"))
	got = s.Flush(s.Write(got, "t\x07d"))
	if want := "ab\ncd"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
