// Package chargen holds a character generator for the C64 model, in the style
// of the C64's own and in its order. It is drawn for this project: it is not,
// and does not equal, Commodore's ROM.
//
// As on the real machine, backslash, caret, underscore, backquote, braces, bar
// and tilde have no glyphs at all.
package chargen

import (
	_ "embed"
	"strings"
)

// Set names one half of the ROM.
type Set int

// The two sets, in the order of the ROM.
const (
	Graphics Set = iota // upper case and graphics
	Lower               // lower and upper case
)

//go:embed graphics.txt
var graphicsArt string

//go:embed lower.txt
var lowerArt string

// size of a set in bytes: 256 glyphs of 8 bytes.
const size = 2048

var rom = build()

// ROM gives the 4 KiB character generator as the VIC-II reads it.
func ROM() [4096]byte { return rom }

func build() (out [2 * size]byte) {
	for i, art := range []string{graphicsArt, lowerArt} {
		set := out[i*size : (i+1)*size]
		draw(set, art)
		for j := range set[:size/2] {
			set[size/2+j] = ^set[j]
		}
	}
	return out
}

// draw reads bands of eight glyphs, each headed by a line that begins "codes".
func draw(set []byte, art string) {
	code, row := -8, 0
	for _, line := range strings.Split(art, "\n") {
		if strings.HasPrefix(line, "codes") {
			code, row = code+8, 0
			continue
		}
		cells := strings.Fields(line)
		if code < 0 || len(cells) != 8 {
			continue
		}
		for i, cell := range cells {
			for x := range 8 {
				if cell[x] == '#' {
					set[(code+i)*8+row] |= 0x80 >> x
				}
			}
		}
		row++
	}
}
