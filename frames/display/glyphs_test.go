package display

import (
	"strings"
	"testing"
)

// shape shapes a whole text without Markdown.
func shape(text string, palette bool) string {
	s := New(Options{Palette: palette})
	return string(s.Flush(s.Write(nil, text)))
}

func TestCharactersShowAsThemselvesOrTheirStandIn(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ascii", " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"},
		{"quotes", "“It’s” ‘so’ «bon» „gut‟", `"It's" 'so' <<bon>> "gut"`},
		{"dashes", "a–b—c‐d‑e−f", "a-b-c-d-e-f"},
		{"ellipsis", "wait…", "wait..."},
		{"bullets", "• a ◦ b ▪ c", "* a o b * c"},
		{"arrows", "a → b ⇒ c ← d ↔ e ➜ f", "a -> b => c <- d <-> e -> f"},
		{"checks", "✓ ok ✗ no ✅ ok ❌ no ✔️ ok", "v ok x no v ok x no v ok"},
		{"accents", "Crème brûlée, Ångström, Łódź, naïve, Ørsted, Đà Nẵng", "Creme brulee, Angstrom, Lodz, naive, Orsted, Da Nang"},
		{"decomposed accents", "e\u0301a\u0308o\u0302\u0323", "eao"},
		{"german", "Straße GRÖẞE", "Strasse GROSSE"},
		{"ligatures", "ﬁle ﬂow eﬀect Æsop œuvre", "file flow effect AEsop oeuvre"},
		{"currency", "€5 £6 ¥7 ¢8", "EUR5 GBP6 JPY7 c8"},
		{"fractions", "½ ¼ ⅔", "1/2 1/4 2/3"},
		{"math", "x ≤ y ≥ z ≠ w × v ÷ u ± t ≈ s ∞", "x <= y >= z != w x v / u +/- t ~= s inf"},
		{"negated", "=\u0338 <\u0338 >\u0338 ∈\u0338 ≠ ≮ ∉ ↛", "!= !< !> not in != !< not in !->"},
		{"superscripts", "x² H₂O 5℃ 3µs", "x2 H2O 5degC 3us"},
		{"full width", "Ｈｅｌｌｏ～！", "Hello~!"},
		{"full width escape", "＼ｅ［３１ｍ", `\e[31m`},
		{"acute accent alone", "don´t", "don't"},
		{"no-break spaces", "a\u00a0b\u202fc\u3000d", "a b c d"},
		{"boxes", "┌─┐│└┘═║╔", "+-+|++-|+"},
		{"full block", "█", "#"},
		{"han and kana", "日本語 カナ", "??? ??"},
		{"half width kana with mark", "ｶﾞ", "?"},
		{"hangul", "한국 \u1112\u1161\u11ab", "?? ?"},
		{"emoji", "😀🚀", "??"},
		{"family", "👨‍👩‍👧‍👦!", "?!"},
		{"flags", "🇩🇪🇫🇷🇯", "???"},
		{"flag of tags", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f.", "?."},
		{"sign in a family", "👩‍⚕️ 👁️‍🗨️ 🧑‍➡️ ➡️", "? ? ? ->"},
		{"skin tone", "👍🏽", "?"},
		{"keycap", "1️⃣ 2️⃣", "1 2"},
		{"invisible", "a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g\u202eh\u2066i\ufe0fj\U000e0041k\u115fl\u034fm", "abcdefghijklm"},
		{"lone mark", "\u0301", "?"},
		{"zalgo", "Z" + strings.Repeat("\u0335\u0489\u031b", 5000) + "o", "Zo"},
		{"zalgo on a wide base", "日" + strings.Repeat("\u0335\u0300", 5000) + "本", "??"},
		{"line separators", "a\u2028b\u2029c", "a\nb\nc"},
		{"arabic number sign keeps what follows", "\u0600" + "5", "?5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(c.in, false); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestTabsReachTheNextMultipleOfFour(t *testing.T) {
	for in, want := range map[string]string{
		"\tx": "    x", "a\tx": "a   x", "abcd\tx": "abcd    x", "ab\t\tx": "ab      x",
		"abc\n\tx": "abc\n    x", "…\tx": "... x", "日\tx": "?   x", "e\u0301\tx": "e   x", "\x1b[1mab\tx": "ab  x",
	} {
		if got := shape(in, false); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestInvalidBytesShowOneMarkEach(t *testing.T) {
	for in, want := range map[string]string{
		"a\xffb": "a?b", "\xc3(": "?(", "\xe2\x82z": "??z", "\x93q\x94": "?q?", "\xed\xa0\x80": "???",
		"\xf0\x9f\x98": "???", "\xc0\x80": "??", "\xf4\x90\x80\x80": "????", "\ufffd": "?", "\xe2\xc3\xa9": "?e",
	} {
		if got := shape(in, false); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLongClusterIsNotKept(t *testing.T) {
	for _, part := range []string{"\u0301", "\u0301\u200d", "\u0903", "\u200d\u0903", "👩\u200d"} {
		s := New(Options{})
		if got := string(s.Write(nil, "日"+strings.Repeat(part, 4000))); strings.Trim(got, "?") != "" {
			t.Errorf("%+q: got %q", part, got)
		}
		if n := cap(s.glyphs.cluster); n > 4*maxCluster {
			t.Errorf("%+q: %d bytes are kept", part, n)
		}
	}
}
