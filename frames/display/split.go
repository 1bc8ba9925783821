package display

// Split cuts shaped text for a frame: head has at most max bytes, and head and
// rest together are text. A word that fits in a frame of max bytes is not cut; a
// longer one is. Spaces and newlines stay with the word before them as far as
// there is room. With max below 1 the head is empty.
func Split(text []byte, max int) (head, rest []byte) {
	if len(text) <= max {
		return text, nil
	}
	if max < 1 {
		return nil, text
	}
	cut := max
	for cut > 0 && !breaks(text[cut]) && !breaks(text[cut-1]) {
		cut--
	}
	if cut < max && wordLength(text[cut:], max) > max {
		cut = max
	}
	return text[:cut], text[cut:]
}

// breaks reports whether a byte ends a word.
func breaks(c byte) bool { return c == ' ' || c == '\n' }

// wordLength counts the word that text begins with, up to limit+1.
func wordLength(text []byte, limit int) int {
	for i, c := range text {
		if breaks(c) || i > limit {
			return i
		}
	}
	return len(text)
}
