package nbd

import (
	"errors"
	"io"
)

// Step is something that was done to a disk: a write, or a flush, which has no data.
type Step struct {
	At    int64
	Data  []byte
	Flush bool
}

// Part is a part of a disk, from a byte to before another.
type Part struct{ From, To int64 }

// within returns how many of n bytes at a place of the disk are in the part.
func (p Part) within(at int64, n int) int64 { return max(0, min(at+int64(n), p.To)-max(at, p.From)) }

// Log is what was done to a disk, one thing after the other. It knows nothing of
// what the disk held before.
type Log struct{ Steps []Step }

// Record returns a log of everything that is done to the disk. It is complete when
// the disk is closed, and must not be read before.
func (d *Disk) Record() (*Log, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.written > 0 {
		return nil, errors.New("record the disk: it was written to before")
	}
	d.log = &Log{}
	return d.log, nil
}

// note adds to the log, if there is one.
func (d *Disk) note(s Step) {
	if d.log != nil {
		d.log.Steps = append(d.log.Steps, s)
	}
}

// Moment is when the power fails: that many steps were done, and that many bytes
// of the next one.
type Moment struct{ Steps, Bytes int }

// After is the moment when that many bytes were written in a part of the disk since
// the log had some steps; where that falls between two writes, before the second. It
// is the log's end if it has no more.
func (l *Log) After(steps int, part Part, bytes int64) Moment {
	for i, s := range l.Steps[steps:] {
		n := part.within(s.At, len(s.Data))
		if n > bytes {
			return Moment{steps + i, int(max(s.At, part.From) + bytes - s.At)}
		}
		bytes -= n
	}
	return Moment{Steps: len(l.Steps)}
}

// Written is how many bytes the log has from some steps to before others in a part
// of the disk.
func (l *Log) Written(from, to int, part Part) (bytes int64) {
	for _, s := range l.Steps[from:to] {
		bytes += part.within(s.At, len(s.Data))
	}
	return bytes
}

// Durable is how many of the steps before a moment a flush followed.
func (l *Log) Durable(m Moment) int {
	for i := m.Steps; i > 0; i-- {
		if l.Steps[i-1].Flush {
			return i
		}
	}
	return 0
}

// Left is what a power failure at a moment leaves of the writes since the last
// flush, in the order in which it counts. Of the fault's fields Policy and Seed do.
func (l *Log) Left(m Moment, f Fault) []Step {
	var cache []write
	for _, s := range l.Steps[l.Durable(m):m.Steps] {
		cache = append(cache, write{s.At, s.Data})
	}
	if m.Bytes > 0 {
		s := l.Steps[m.Steps]
		cache = append(cache, write{s.At, s.Data[:m.Bytes]})
	}
	var left []Step
	for _, w := range survivors(cache, f) {
		left = append(left, Step{At: w.at, Data: w.data})
	}
	return left
}

// Replay makes of what the disk held at first what it holds after a power failure.
func (l *Log) Replay(disk io.WriterAt, m Moment, f Fault) error {
	for _, s := range append(l.Steps[:l.Durable(m):l.Durable(m)], l.Left(m, f)...) {
		if len(s.Data) == 0 {
			continue
		}
		if _, err := disk.WriteAt(s.Data, s.At); err != nil {
			return err
		}
	}
	return nil
}
