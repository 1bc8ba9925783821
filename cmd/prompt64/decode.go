package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/prompt64/prompt64/frames"
)

var decodeCommand command

func init() {
	decodeCommand = command{
		name:    "decode",
		args:    "[FILE]",
		summary: "Prints a captured byte stream frame by frame; standard input if no file is named.",
		run:     runDecode,
	}
}

func runDecode(s streams, args []string) error {
	fs := flag.NewFlagSet("decode", flag.ContinueOnError)
	if err := parse(s, decodeCommand, fs, args); err != nil {
		return err
	}
	in := s.in
	switch fs.NArg() {
	case 0:
	case 1:
		file, err := os.Open(fs.Arg(0))
		if err != nil {
			return fmt.Errorf("open capture: %w", err)
		}
		defer file.Close()
		in = file
	default:
		return usagef("reads one file at a time")
	}
	out := bufio.NewWriter(s.out)
	d := decoder{in: bufio.NewReaderSize(in, 2*frames.MaxFrameToBridge), out: out}
	if err := d.run(); err != nil {
		_ = out.Flush()
		return fmt.Errorf("read capture: %w", err)
	}
	return out.Flush()
}

// decoder prints a stream of frames of either direction. What is no frame is
// counted and skipped byte by byte until a frame follows.
type decoder struct {
	in      *bufio.Reader
	out     io.Writer
	offset  int64
	garbage int64 // bytes skipped right before offset
	sample  []byte
	cut     bool // a frame was cut off by the stream's end
}

const garbageSample = 16 // bytes of garbage that are shown

func (d *decoder) run() error {
	for {
		buf, err := d.in.Peek(frames.HeaderSize)
		if len(buf) < frames.HeaderSize {
			return d.end(buf, err)
		}
		size := frames.HeaderSize + int(buf[2]) + int(buf[3])<<8
		dir, ok := direction(frames.Type(buf[0]), size)
		if !ok {
			d.skip()
			continue
		}
		if buf, err = d.in.Peek(size); len(buf) < size {
			if err != io.EOF {
				return err
			}
			d.cutOff(frames.Type(buf[0]), len(buf), size)
			continue
		}
		f := frames.Frame{Type: frames.Type(buf[0]), Flags: buf[1], Payload: buf[frames.HeaderSize:]}
		d.endGarbage()
		fmt.Fprintf(d.out, "%08x  %s  %s\n", d.offset, arrow(dir), frames.Describe(f))
		d.offset += int64(size)
		if _, err := d.in.Discard(size); err != nil {
			return err
		}
	}
}

// cutOff handles what looks like a frame that the stream's end cuts off. It may
// be garbage with whole frames behind it, so the search goes on.
func (d *decoder) cutOff(t frames.Type, have, size int) {
	if !d.cut {
		d.endGarbage()
		fmt.Fprintf(d.out, "%08x  cut off: %s, %d of %d bytes\n", d.offset, t, have, size)
		d.cut = true
	}
	d.skip()
}

// direction tells which way a frame of type t travels, from the type alone;
// SessionRelease travels both ways and looks the same.
func direction(t frames.Type, size int) (frames.Direction, bool) {
	for _, d := range []frames.Direction{frames.ToBridge, frames.ToC64} {
		if t.Allowed(d) && size <= frames.HeaderSize+d.MaxPayload() {
			return d, true
		}
	}
	return 0, false
}

func arrow(d frames.Direction) string {
	if d == frames.ToBridge {
		return "C64 ->"
	}
	return "<- BRG"
}

// skip takes one byte for garbage.
func (d *decoder) skip() {
	b, err := d.in.ReadByte()
	if err != nil {
		return
	}
	if len(d.sample) < garbageSample {
		d.sample = append(d.sample, b)
	}
	d.garbage++
	d.offset++
}

func (d *decoder) endGarbage() {
	if d.garbage == 0 {
		return
	}
	more := ""
	if d.garbage > int64(len(d.sample)) {
		more = " ..."
	}
	fmt.Fprintf(d.out, "%08x  no frame: %d bytes: % x%s\n", d.offset-d.garbage, d.garbage, d.sample, more)
	d.garbage, d.sample = 0, d.sample[:0]
}

// end handles what is too short for a header.
func (d *decoder) end(rest []byte, err error) error {
	for range rest {
		d.skip()
	}
	d.endGarbage()
	if err == io.EOF {
		return nil
	}
	return err
}
