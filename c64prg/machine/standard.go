package machine

// Standard is a television standard: it fixes the clock and the raster.
type Standard struct {
	Name   string // "PAL" or "NTSC"
	Hz     uint64 // system cycles a second
	Line   uint64 // cycles a raster line
	Lines  int    // raster lines a frame
	Mains  uint64 // mains frequency that drives the CIAs' time of day
	top    int    // first raster line of the visible picture
	height int    // visible lines
}

// The two standards that the program supports.
var (
	PAL  = Standard{Name: "PAL", Hz: 985248, Line: 63, Lines: 312, Mains: 50, top: 15, height: 272}
	NTSC = Standard{Name: "NTSC", Hz: 1022727, Line: 65, Lines: 263, Mains: 60, top: 28, height: 247}
)

// Frame is the length of one video frame in cycles.
func (s Standard) Frame() uint64 { return s.Line * uint64(s.Lines) }
