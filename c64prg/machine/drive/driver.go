package drive

import (
	"fmt"
	"os"
	"time"

	"github.com/google/renameio/v2"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// Config tells a driver about the program.
type Config struct {
	// Glyphs maps screen codes that the program's own font redraws. ok is false
	// where a code shows what its glyph looks like.
	Glyphs func(code byte) (r rune, reverse, ok bool)
	// Press and Gap are how long a key is down and then up; 60 and 40 ms when
	// zero.
	Press, Gap time.Duration
}

// Driver drives one machine.
type Driver struct {
	M   *machine.Machine
	cfg Config

	// The font that was named last, and its names; see nameGlyphs.
	named, lower, inRAM bool
	font                [2048]byte
	names               [256]Cell
}

// New sits down at a machine.
func New(m *machine.Machine, cfg Config) *Driver {
	if cfg.Press == 0 {
		cfg.Press = 60 * time.Millisecond
	}
	if cfg.Gap == 0 {
		cfg.Gap = 40 * time.Millisecond
	}
	return &Driver{M: m, cfg: cfg}
}

// cycles converts emulated time.
func (d *Driver) cycles(t time.Duration) uint64 {
	return uint64(t.Nanoseconds()) * d.M.Standard().Hz / uint64(time.Second)
}

// Now is the emulated time since power-on.
func (d *Driver) Now() time.Duration {
	hz := d.M.Standard().Hz
	c := d.M.Clock()
	return time.Duration(c/hz)*time.Second + time.Duration(c%hz*uint64(time.Second)/hz)
}

// Run lets time pass.
func (d *Driver) Run(t time.Duration) error { return d.with(d.M.Run(d.cycles(t))) }

// RunFrames lets n video frames pass.
func (d *Driver) RunFrames(n int) error { return d.with(d.M.RunFrames(n)) }

// Menu opens the Ultimate's menu for a time: the C64 stands still, connections
// do not.
func (d *Driver) Menu(t time.Duration) { d.M.Freeze(d.cycles(t)) }

// with adds the screen to an error.
func (d *Driver) with(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w\n%s", err, d.Dump())
}

// Cut breaks the network; see package uci.
func (d *Driver) Cut(kind uci.Cut) { d.M.UCI().Cut(kind) }

// CutAfter breaks the newest connection after k more bytes.
func (d *Driver) CutAfter(k int, dir uci.Direction, kind uci.Cut) {
	d.M.UCI().CutAfter(k, dir, kind)
}

// Mend repairs the network.
func (d *Driver) Mend() { d.M.UCI().Mend() }

// SavePNG writes the picture, twice as large, with its border.
func (d *Driver) SavePNG(path string) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("save picture: %w", err)
	}
	defer f.Cleanup()
	if err := d.M.WritePNG(f, 2); err != nil {
		return fmt.Errorf("save picture: %w", err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("save picture: %w", err)
	}
	return nil
}

// LoadFile loads a PRG file and makes it ready to run.
func (d *Driver) LoadFile(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	return d.M.Load(b)
}
