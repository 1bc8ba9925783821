package display

// glyph is a code of the lower-case set and the characters that it shows; the
// first is the one that a token stands for.
type glyph struct {
	code  byte
	runes string
}

// palette is the PETSCII graphic palette, by screen code. The graphics of the
// upper-case set are not in it: their codes are the capital letters.
var palette = [...]glyph{
	{0x1C, "£"},
	{0x1E, "↑"},
	{0x1F, "←"},
	{0x40, "─"},
	{0x5B, "┼"},
	{0x5C, "\U0001FB8C"}, // left half medium shade
	{0x5D, "│"},
	{0x5E, "\U0001FB95"}, // checker board
	{0x5F, "\U0001FB98"}, // upper left to lower right fill
	{0x61, "▌"},
	{0x62, "▄"},
	{0x63, "▔"},
	{0x64, "▁"},
	{0x65, "▏"},
	{0x66, "▒░▓"},
	{0x67, "▕"},
	{0x68, "\U0001FB8F"}, // lower half medium shade
	{0x69, "\U0001FB99"}, // upper right to lower left fill
	{0x6A, "\U0001FB87"}, // right one quarter block
	{0x6B, "├"},
	{0x6C, "▗"},
	{0x6D, "└"},
	{0x6E, "┐"},
	{0x6F, "▂"},
	{0x70, "┌"},
	{0x71, "┴"},
	{0x72, "┬"},
	{0x73, "┤"},
	{0x74, "▎"},
	{0x75, "▍"},
	{0x76, "\U0001FB88"}, // right three eighths block
	{0x77, "\U0001FB82"}, // upper one quarter block
	{0x78, "\U0001FB83"}, // upper three eighths block
	{0x79, "▃"},
	{0x7A, "✓"},
	{0x7B, "▖"},
	{0x7C, "▝"},
	{0x7D, "┘"},
	{0x7E, "▘"},
	{0x7F, "▚"},
}

// token marks a byte as a literal screen code.
const token = 0x80

var (
	tokens     = tokenTable()
	characters = characterTable()
)

// tokenTable maps each character of the palette to its token.
func tokenTable() map[rune]byte {
	t := make(map[rune]byte)
	for _, g := range palette {
		for _, r := range g.runes {
			t[r] = token | g.code
		}
	}
	return t
}

// characterTable maps each screen code to the character that the lower-case set
// shows for it: the palette, and the characters that have an ASCII byte too.
func characterTable() [128]rune {
	var t [128]rune
	for code := range t {
		switch {
		case code >= 1 && code <= 26:
			t[code] = rune('a' + code - 1)
		default:
			t[code] = rune(code)
		}
	}
	t[0x00], t[0x1B], t[0x1D], t[0x60] = '@', '[', ']', ' '
	for _, g := range palette {
		for _, r := range g.runes {
			t[g.code] = r
			break
		}
	}
	return t
}

// Unshape turns text from the C64 back into Unicode: a screen-code token becomes
// the character that it stands for by the palette. A token outside of the palette
// becomes what the lower-case set shows for its code, which is a letter, a digit,
// a mark or a space. A byte that is not display-safe becomes U+FFFD.
func Unshape(b []byte) string {
	out := make([]rune, 0, len(b))
	for _, c := range b {
		switch {
		case c >= token:
			out = append(out, characters[c&^token])
		case c >= ' ' && c < runeDEL, c == '\n':
			out = append(out, rune(c))
		default:
			out = append(out, '\uFFFD')
		}
	}
	return string(out)
}
