package nbd

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync"
)

// ErrPower says that the disk's power has failed.
var ErrPower = errors.New("the disk has no power")

// sector is what a card writes whole or not at all.
const sector = 512

// Policy says what survives of the writes since the last flush.
type Policy int

// The policies.
const (
	Keep    Policy = iota // every write, up to the byte of the cut
	Drop                  // none
	Shuffle               // each by chance, in an order by chance, some torn
)

// Fault is a power failure that is going to happen.
type Fault struct {
	After  int64 // bytes written; negative: never
	Policy Policy
	Seed   uint64 // of Shuffle
}

// Disk is a file with a volatile cache before it.
type Disk struct {
	mu      sync.Mutex
	file    *os.File
	size    int64
	cache   []write // since the last flush, in order
	written int64
	flushes int
	fault   Fault
	cut     chan struct{} // closed when the power fails
	dead    bool
	log     *Log // see Record
}

type write struct {
	at   int64
	data []byte
}

// Open makes a disk of a file, which it changes.
func Open(name string, fault Fault) (*Disk, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Disk{file: f, size: info.Size(), fault: fault, cut: make(chan struct{})}, nil
}

// Size is in bytes.
func (d *Disk) Size() int64 { return d.size }

// Cut is closed when the power has failed.
func (d *Disk) Cut() <-chan struct{} { return d.cut }

// Written is how many bytes were written so far, and how often they were flushed.
func (d *Disk) Written() (bytes int64, flushes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.written, d.flushes
}

// ReadAt reads what was written last, durable or not.
func (d *Disk) ReadAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return 0, ErrPower
	}
	n, err := d.file.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, err
	}
	for _, w := range d.cache {
		overlay(p, off, w)
	}
	return n, err
}

// overlay copies the part of w that lies within p, which begins at off.
func overlay(p []byte, off int64, w write) {
	from, to := max(off, w.at), min(off+int64(len(p)), w.at+int64(len(w.data)))
	if from < to {
		copy(p[from-off:to-off], w.data[from-w.at:to-w.at])
	}
}

// WriteAt writes into the cache, or loses the power in the middle.
func (d *Disk) WriteAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return 0, ErrPower
	}
	if off < 0 || off+int64(len(p)) > d.size {
		return 0, errors.New("write outside the disk")
	}
	n := len(p)
	if d.fault.After >= 0 && d.written+int64(n) > d.fault.After {
		n = int(d.fault.After - d.written)
	}
	d.written += int64(n)
	data := append([]byte(nil), p[:n]...)
	d.cache = append(d.cache, write{off, data})
	d.note(Step{At: off, Data: data})
	if n == len(p) {
		return n, nil
	}
	return n, errors.Join(ErrPower, d.fail())
}

// Sync makes the cache durable.
func (d *Disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return ErrPower
	}
	d.flushes++
	d.note(Step{Flush: true})
	return d.settle(d.cache)
}

// settle writes to the file and empties the cache.
func (d *Disk) settle(writes []write) error {
	for _, w := range writes {
		if _, err := d.file.WriteAt(w.data, w.at); err != nil {
			return err
		}
	}
	d.cache = nil
	return nil
}

// Fail cuts the power now.
func (d *Disk) Fail() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return nil
	}
	return d.fail()
}

func (d *Disk) fail() error {
	d.dead = true
	close(d.cut)
	return d.settle(survivors(d.cache, d.fault))
}

// survivors is what the policy leaves of the writes since the last flush.
func survivors(cache []write, f Fault) []write {
	switch f.Policy {
	case Keep:
		return cache
	case Drop:
		return nil
	}
	r := rand.New(rand.NewPCG(f.Seed, 0))
	var out []write
	for _, w := range cache {
		switch r.IntN(4) {
		case 0: // lost
		case 1: // torn
			sectors := len(w.data) / sector
			if sectors > 1 {
				w.data = w.data[:sector*r.IntN(sectors)]
			}
			out = append(out, w)
		default:
			out = append(out, w)
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Close ends the use of a disk: without a failure, as an orderly power-off does,
// everything becomes durable.
func (d *Disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if !d.dead {
		err = d.settle(d.cache)
		d.dead = true
	}
	return errors.Join(err, d.file.Close())
}
