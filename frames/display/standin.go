package display

// standIn is the ASCII form of a set of characters.
type standIn struct {
	ascii string
	runes string
}

// standInList holds the usual ASCII forms of what NFKC does not already bring to
// ASCII. Letters with accents are not here: NFKC taken apart gives their letter.
// A few that NFKC would turn into a space and an accent are.
var standInList = [...]standIn{
	// Quotes, dashes, marks.
	{"'", "‘’‚‛′‵´ʹʻʼʽˈ"},
	{`"`, "“”„‟″‶¨〝〞˝"},
	{"<", "‹⟨〈"}, {">", "›⟩〉‣⮞▶▸►"}, {"<<", "«《"}, {">>", "»》"},
	{"-", "‐‒–—―−⁃﹘¯‾⸺⸻⎯"},
	{"_", "‗␣"}, {"~", "˜∼〜"}, {"^", "ˆ"}, {"`", "ˋ"}, {",", "¸、"}, {".", "·∙・。⋅"},
	{"...", "⋯⋮"}, {"/", "⁄∕"}, {"\\", "∖"}, {"|", "¦∣⏐"}, {"||", "∥"}, {"*", "∗⁎"}, {":", "∶"},
	{"!", "¡"}, {"?", "¿"}, {"+", "†"}, {"++", "‡"}, {"[", "【"}, {"]", "】"},
	// Bullets and shapes.
	{"*", "•●⬤◆◾▪★☆⭐✦✱⁕"}, {"o", "◦○◯◇▫"}, {"#", "■█▆▇▅▀▐▙▛▜▟▞◼⬛▮"}, {"[ ]", "☐□◻⬜"}, {"[x]", "☑☒"},
	{"<", "◀◂◄"}, {"^", "▲△▴"}, {"v", "▼▽▾"},
	// Check marks and signs that agents put before a line.
	{"v", "✓✔✅"}, {"x", "✗✘✕✖❌❎╳"}, {"!", "⚠❗"}, {"?", "❓"},
	// Arrows.
	{"<-", "←⟵⬅↤↩↵⏎"}, {"->", "→⟶➔➙➛➜➝➞➡↦↪↳⇢➤"}, {"<->", "↔⟷⬌⇄"}, {"^", "↑⬆⇧↥"}, {"v", "↓⬇⇩↧"},
	{"^v", "↕⬍"}, {"<=", "⇐⟸"}, {"=>", "⇒⟹➾"}, {"<=>", "⇔⟺"},
	// Letters that have no accent to take away.
	{"o", "øɵ"}, {"O", "Ø"}, {"l", "ł"}, {"L", "Ł"}, {"d", "đð"}, {"D", "ĐÐ"}, {"th", "þ"}, {"Th", "Þ"},
	{"ss", "ß"}, {"SS", "ẞ"}, {"ae", "æ"}, {"AE", "Æ"}, {"oe", "œ"}, {"OE", "Œ"}, {"i", "ı"}, {"h", "ħ"},
	{"H", "Ħ"}, {"k", "ĸ"}, {"t", "ŧ"}, {"T", "Ŧ"}, {"n", "ŋ"}, {"N", "Ŋ"}, {"f", "ƒ"}, {"b", "ƀ"}, {"u", "μ"},
	// Currency, law, units.
	{"EUR", "€"}, {"GBP", "£"}, {"JPY", "¥"}, {"c", "¢"}, {"INR", "₹"}, {"RUB", "₽"}, {"KRW", "₩"}, {"BTC", "₿"},
	{"(C)", "©"}, {"(R)", "®"}, {"(P)", "℗"}, {"deg", "°"}, {"S", "§"}, {"P", "¶"}, {"0/00", "‰"},
	// Mathematics.
	{"x", "×⨯"}, {"/", "÷"}, {"+/-", "±"}, {"-/+", "∓"}, {"<=", "≤⩽≦"}, {">=", "≥⩾≧"}, {"~=", "≈≅≃"},
	{"==", "≡"}, {":=", "≔"}, {"<<", "≪"}, {">>", "≫"}, {"inf", "∞"}, {"sqrt", "√"}, {"sum", "∑"}, {"prod", "∏"},
	{"in", "∈"}, {"not in", "∉"}, {"and", "∧"}, {"or", "∨"}, {"not ", "¬"}, {"delta", "∆"}, {"d", "∂"},
	{"|-", "⊢"}, {"o", "∘"}, {"(+)", "⊕"},
	// Blocks and lines of the palette, when it is off.
	{"-", "─▔\U0001FB82\U0001FB83"}, {"|", "│▏▎▕\U0001FB87\U0001FB88"}, {"+", "┌┐└┘├┤┬┴┼"},
	{"#", "▌▍▄▃▖▗▘▝▚▓\U0001FB95\U0001FB8C\U0001FB8F"}, {"_", "▁▂"}, {".", "░"}, {":", "▒"},
	{"\\", "╲\U0001FB98"}, {"/", "╱\U0001FB99"}, {"|", "▋▊▉"},
}

var standIns = standInTable()

// standInTable gives each character its ASCII form.
func standInTable() map[rune]string {
	t := make(map[rune]string)
	for _, s := range standInList {
		for _, r := range s.runes {
			t[r] = s.ascii
		}
	}
	return t
}

// boxes lists the box drawing characters from U+2500 in runs of one light form.
var boxes = [...]struct {
	light rune
	count int
}{
	{'─', 2}, {'│', 2}, {'─', 2}, {'│', 2}, {'─', 2}, {'│', 2},
	{'┌', 4}, {'┐', 4}, {'└', 4}, {'┘', 4}, {'├', 8}, {'┤', 8}, {'┬', 8}, {'┴', 8}, {'┼', 16},
	{'─', 2}, {'│', 2}, {'─', 1}, {'│', 1},
	{'┌', 3}, {'┐', 3}, {'└', 3}, {'┘', 3}, {'├', 3}, {'┤', 3}, {'┬', 3}, {'┴', 3}, {'┼', 3},
	{'┌', 1}, {'┐', 1}, {'┘', 1}, {'└', 1}, {'╱', 1}, {'╲', 1}, {'╳', 1},
	{'─', 1}, {'│', 1}, {'─', 1}, {'│', 1}, {'─', 1}, {'│', 1}, {'─', 1}, {'│', 1},
	{'─', 1}, {'│', 1}, {'─', 1}, {'│', 1},
}

const firstBox, lastBox = 0x2500, 0x257F

var lightBoxes = lightTable()

// lightTable gives the double, heavy, rounded and dashed forms their light one.
func lightTable() (t [lastBox - firstBox + 1]rune) {
	at := 0
	for _, b := range boxes {
		for range b.count {
			t[at] = b.light
			at++
		}
	}
	return t
}
