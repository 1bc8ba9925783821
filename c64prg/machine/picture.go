package machine

import (
	"image"
	"image/color"
	"image/png"
	"io"
)

// Palette is the VIC-II's sixteen colours as a PAL monitor shows them, about.
var Palette = color.Palette{
	rgb(0x000000), rgb(0xffffff), rgb(0x9f4e44), rgb(0x6abfc6), rgb(0xa057a3), rgb(0x5cab5e), rgb(0x50459b), rgb(0xc9d487),
	rgb(0xa1683c), rgb(0x6d5412), rgb(0xcb7e75), rgb(0x626262), rgb(0x898989), rgb(0x9ae29b), rgb(0x887ecb), rgb(0xadadad),
}

func rgb(v uint32) color.RGBA {
	return color.RGBA{R: byte(v >> 16), G: byte(v >> 8), B: byte(v), A: 0xff}
}

// Picture is the last complete frame with its border, one pixel a dot.
func (m *Machine) Picture() *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, width, m.std.height), Palette)
	copy(img.Pix, m.vic.done[:len(img.Pix)])
	return img
}

// WritePNG writes the last complete frame, each dot as a square of scale
// pixels.
func (m *Machine) WritePNG(w io.Writer, scale int) error {
	src := m.Picture()
	b := src.Bounds()
	img := image.NewPaletted(image.Rect(0, 0, b.Dx()*scale, b.Dy()*scale), Palette)
	for y := range b.Dy() * scale {
		row := img.Pix[y*img.Stride:]
		from := src.Pix[y/scale*src.Stride:]
		for x := range b.Dx() * scale {
			row[x] = from[x/scale]
		}
	}
	return png.Encode(w, img)
}

// Frames counts the frames drawn since power-on.
func (m *Machine) Frames() uint64 { return m.vic.frames }

// Text describes the text screen as the VIC-II is set to show it.
type Text struct {
	Codes, Colours [1000]byte
	Border, Paper  byte
	Lower          bool // the character ROM's lower case set is shown
	RAMFont        bool // the font is in RAM
	Font           [2048]byte
}

// Text reads the screen memory, colours and font that the VIC-II shows now.
func (m *Machine) Text() Text {
	v := &m.vic
	t := Text{Border: v.reg[0x20] & 15, Paper: v.reg[0x21] & 15}
	base := v.bank | uint16(v.reg[ptrs]&0xf0)<<6
	copy(t.Codes[:], m.vicSlice(base, len(t.Codes)))
	copy(t.Colours[:], m.colour[:])
	font := v.bank | uint16(v.reg[ptrs]&0x0e)<<10
	t.RAMFont = font&0x7000 != 0x1000
	t.Lower = !t.RAMFont && font&0x0800 != 0
	copy(t.Font[:], m.vicSlice(font, len(t.Font)))
	return t
}

// vicSlice is a block that lies wholly in RAM or in the character ROM, as
// screens and fonts do.
func (m *Machine) vicSlice(addr uint16, n int) []byte {
	if addr&0x7000 == 0x1000 {
		return m.chars[addr&0xfff:][:n]
	}
	return m.ram[addr:][:n]
}

// Blank says that the screen is switched off (DEN is 0).
func (m *Machine) Blank() bool { return m.vic.reg[ctrl1]&0x10 == 0 }
