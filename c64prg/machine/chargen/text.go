package chargen

// lowerText and graphicsText are what the glyphs of the two sets say, by screen
// code; a blank stands for every code that shows no ink.
var (
	lowerText = []rune("@abcdefghijklmnopqrstuvwxyz[£]↑←" +
		" !\"#$%&'()*+,-./0123456789:;<=>?" +
		"─ABCDEFGHIJKLMNOPQRSTUVWXYZ┼▌│▓▧" +
		" ▌▄▔▁▏▒▕▄▨▕├▗└┐▂┌┴┬┤▎▍▐▔▔▃✓▖▝┘▘▚")
	graphicsText = []rune("@ABCDEFGHIJKLMNOPQRSTUVWXYZ[£]↑←" +
		" !\"#$%&'()*+,-./0123456789:;<=>?" +
		"─♠│──▔─▏▕╮╰╯▙╲╱▛▜●▁♥▏╭╳○♣▕♦┼▌│π◥" +
		" ▌▄▔▁▏▒▕▄◤▕├▗└┐▂┌┴┬┤▎▍▐▔▔▃▟▖▝┘▘▚")
)

// Rune says what a screen code shows in a set; reverse video is not counted.
func Rune(set Set, code byte) rune {
	if set == Lower {
		return lowerText[code&0x7f]
	}
	return graphicsText[code&0x7f]
}

// Code finds the screen code of a rune in a set.
func Code(set Set, r rune) (byte, bool) {
	text := graphicsText
	if set == Lower {
		text = lowerText
	}
	for i, t := range text {
		if t == r {
			return byte(i), true
		}
	}
	return 0, false
}
