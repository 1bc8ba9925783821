package display

import (
	"testing"
)

// specPalette is the table of the protocol, written down once more.
var specPalette = map[byte][]rune{
	0x1C: {0xA3}, 0x1E: {0x2191}, 0x1F: {0x2190}, 0x40: {0x2500}, 0x5B: {0x253C}, 0x5D: {0x2502},
	0x5E: {0x1FB95}, 0x5C: {0x1FB8C}, 0x5F: {0x1FB98}, 0x61: {0x258C}, 0x62: {0x2584}, 0x63: {0x2594},
	0x64: {0x2581}, 0x65: {0x258F}, 0x66: {0x2592, 0x2591, 0x2593}, 0x67: {0x2595}, 0x68: {0x1FB8F},
	0x69: {0x1FB99}, 0x6A: {0x1FB87}, 0x6B: {0x251C}, 0x6C: {0x2597}, 0x6D: {0x2514}, 0x6E: {0x2510},
	0x6F: {0x2582}, 0x70: {0x250C}, 0x71: {0x2534}, 0x72: {0x252C}, 0x73: {0x2524}, 0x74: {0x258E},
	0x75: {0x258D}, 0x76: {0x1FB88}, 0x77: {0x1FB82}, 0x78: {0x1FB83}, 0x79: {0x2583}, 0x7A: {0x2713},
	0x7B: {0x2596}, 0x7C: {0x259D}, 0x7D: {0x2518}, 0x7E: {0x2598}, 0x7F: {0x259A},
}

func TestPaletteIsTheProtocolsTable(t *testing.T) {
	if len(palette) != len(specPalette) {
		t.Errorf("the palette has %d codes, want %d", len(palette), len(specPalette))
	}
	for code, runes := range specPalette {
		for _, r := range runes {
			got := Line(string(r), Options{Palette: true})
			if len(got) != 1 || got[0] != 0x80|code {
				t.Errorf("U+%04X shapes to % X, want %02X", r, got, 0x80|code)
			}
		}
		if got := Unshape([]byte{0x80 | code}); got != string(runes[0]) {
			t.Errorf("token %02X stands for %q, want %q", 0x80|code, got, string(runes[0]))
		}
	}
}

func TestPaletteOffMakesNoToken(t *testing.T) {
	for code, runes := range specPalette {
		for _, r := range runes {
			for _, b := range Line(string(r), Options{}) {
				if b >= 0x80 || b == '?' {
					t.Errorf("code %02X, U+%04X: byte %02X without the palette", code, r, b)
				}
			}
		}
	}
}

func TestEveryBoxDrawingCharacterFallsOnALightForm(t *testing.T) {
	total := 0
	for _, b := range boxes {
		total += b.count
	}
	if total != lastBox-firstBox+1 {
		t.Fatalf("the runs cover %d characters, want %d", total, lastBox-firstBox+1)
	}
	for in, want := range map[rune]rune{
		'━': '─', '┃': '│', '┅': '─', '┋': '│', '┏': '┌', '┓': '┐', '┗': '└', '┛': '┘', '┣': '├', '┫': '┤',
		'┳': '┬', '┻': '┴', '╋': '┼', '═': '─', '║': '│', '╔': '┌', '╗': '┐', '╚': '└', '╝': '┘', '╠': '├',
		'╣': '┤', '╦': '┬', '╩': '┴', '╬': '┼', '╭': '┌', '╮': '┐', '╯': '┘', '╰': '└', '╌': '─', '╎': '│',
		'╴': '─', '╿': '│', '╾': '─', '╷': '│', '╼': '─', '╽': '│',
	} {
		if got := Line(string(in), Options{Palette: true}); len(got) != 1 || got[0] != tokens[want] {
			t.Errorf("%c shapes to % X, want the token of %c", in, got, want)
		}
	}
	for r := rune(firstBox); r <= lastBox; r++ {
		for _, b := range Line(string(r), Options{}) {
			if b != '+' && b != '-' && b != '|' && b != '/' && b != '\\' && b != 'x' {
				t.Errorf("U+%04X shows as %c", r, b)
			}
		}
	}
}

func TestUnshapeKnowsEveryScreenCode(t *testing.T) {
	all := make([]byte, 0, 128)
	for code := range 128 {
		all = append(all, byte(0x80|code))
	}
	want := "@abcdefghijklmnopqrstuvwxyz[£]↑← !\"#$%&'()*+,-./0123456789:;<=>?" +
		"─ABCDEFGHIJKLMNOPQRSTUVWXYZ┼\U0001FB8C│\U0001FB95\U0001FB98" +
		" ▌▄▔▁▏▒▕\U0001FB8F\U0001FB99\U0001FB87├▗└┐▂┌┴┬┤▎▍\U0001FB88\U0001FB82\U0001FB83▃✓▖▝┘▘▚"
	if got := Unshape(all); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := Unshape([]byte("a\nb\x00\x1b\x7f~")), "a\nb\uFFFD\uFFFD\uFFFD~"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
