package machine

import "encoding/binary"

// Picture size: 320x200 text and a border of 32 pixels at the sides.
const (
	cells  = 48 // 8-pixel cells that a visible line has
	width  = cells * 8
	maxTop = 288
	column = 13 // cycle in which the first visible cell is drawn
	left   = 4  // cells of left border
)

// beam is the state of the picture's drawing.
type beam struct {
	drawn   int // cells of this line that are drawn
	vc, row int // video counter base, line of the text row
	shown   bool
	vborder bool
	codes   [40]byte
	inks    [40]byte
	carry   uint64 // pixels that an X scroll pushes into the next cell
	frame   *picture
	done    *picture
	rows    [25][40]byte // codes that were fetched last for each text row
	each    func()       // at the end of each frame
}

// picture is a frame of colour numbers.
type picture [maxTop * width]byte

// spread turns a byte of pixels into a mask of eight bytes, leftmost first.
var spread = func() (t [256]uint64) {
	for i := range t {
		for b := range 8 {
			if i&(0x80>>b) != 0 {
				t[i] |= 0xff << (8 * b)
			}
		}
	}
	return t
}()

//go:norace
func solid(c byte) uint64 { return uint64(c&0x0f) * 0x0101010101010101 }

// fetchRow is the bad line's fetch of 40 screen codes and colours.
//
//go:norace
func (m *Machine) fetchRow() {
	v := &m.vic
	base := v.bank | uint16(v.reg[ptrs]&0xf0)<<6
	for i := range v.codes {
		at := uint16(v.vc+i) & 0x3ff
		v.codes[i] = m.vicSees(base | at)
		v.inks[i] = m.colour[at]
	}
	if r := v.vc / 40; r < len(v.rows) {
		v.rows[r] = v.codes
	}
	v.row, v.shown = 0, true
}

// vicSees reads memory as the VIC-II does: the character ROM shows in banks 0
// and 2 only.
//
//go:norace
func (m *Machine) vicSees(addr uint16) byte {
	if addr&0x7000 == 0x1000 {
		return m.chars[addr&0xfff]
	}
	return m.ram[addr]
}

//go:norace
func (m *Machine) startLine() {
	v := &m.vic
	v.drawn, v.carry = 0, 0
	top, bottom := 51, 251
	if v.reg[ctrl1]&8 == 0 {
		top, bottom = 55, 247
	}
	switch {
	case v.line == bottom:
		v.vborder = true
	case v.line == top && v.reg[ctrl1]&0x10 != 0:
		v.vborder = false
	}
	if v.line == firstBad {
		v.vc = 0
	}
}

// endLine counts text rows as the VIC-II does at the line's end.
//
//go:norace
func (m *Machine) endLine() {
	v := &m.vic
	if !v.shown {
		return
	}
	v.row++
	if v.row == 8 {
		v.shown = false
		v.vc += 40
	}
}

// endFrame shows the finished picture.
func (m *Machine) endFrame() {
	v := &m.vic
	v.frame, v.done = v.done, v.frame
	v.vc, v.shown = 0, false
	v.frames++
	if v.each != nil {
		v.each()
	}
}

// EachFrame calls f at the end of each frame, on the machine's goroutine; nil
// ends it.
func (m *Machine) EachFrame(f func()) { m.vic.each = f }

// Fetched are the codes that the VIC-II read last for a text row: what a person
// saw, where memory may have changed meanwhile.
func (m *Machine) Fetched(row int) [40]byte { return m.vic.rows[row] }

// drawTo draws the line up to a cycle in it.
//
//go:norace
func (m *Machine) drawTo(cycle uint64) {
	v := &m.vic
	to := min(int(cycle)-column, cells)
	if to <= v.drawn {
		return
	}
	y := v.line - m.std.top
	if y < 0 {
		y += m.std.Lines
	}
	if y >= m.std.height {
		v.drawn = to
		return
	}
	line := v.frame[y*width : (y+1)*width]
	edge := solid(v.reg[0x20])
	for i := v.drawn; i < to; i++ {
		px := edge
		if i >= left && i < left+40 && !v.vborder {
			px = m.cell(i - left)
			if v.reg[ctrl2]&8 == 0 {
				px = narrow(px, edge, i-left)
			}
		}
		binary.LittleEndian.PutUint64(line[i*8:], px)
	}
	v.drawn = to
}

// narrow puts the wider border of the 38-column screen over the outer cells.
//
//go:norace
func narrow(px, edge uint64, i int) uint64 {
	switch i {
	case 0:
		return px&^(1<<56-1) | edge&(1<<56-1)
	case 39:
		return edge
	}
	return px
}

// cell is eight pixels of text, shifted by the X scroll.
//
//go:norace
func (m *Machine) cell(i int) uint64 {
	v := &m.vic
	if v.reg[ctrl1]&0x60 != 0 || v.reg[ctrl2]&0x10 != 0 {
		return 0 // not text: not modelled
	}
	paper := solid(v.reg[0x21])
	px := paper
	if v.shown {
		base := v.bank | uint16(v.reg[ptrs]&0x0e)<<10
		bits := m.vicSees(base + uint16(v.codes[i])<<3 + uint16(v.row))
		mask := spread[bits]
		px = solid(v.inks[i])&mask | paper&^mask
	}
	s := 8 * uint(v.reg[ctrl2]&7)
	if s == 0 {
		return px
	}
	if i == 0 {
		v.carry = paper >> (64 - s)
	}
	out := px<<s | v.carry
	v.carry = px >> (64 - s)
	return out
}
