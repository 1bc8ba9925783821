package link

import (
	"io"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
)

// wire is an open port with its two goroutines. The writer may hang for as long
// as the C64 holds the line; nothing but the wire's close waits for it.
type wire struct {
	port    Port
	packets chan<- Packet
	out     chan []byte   // to the writer; the line sends one at a time
	written chan struct{} // the writer is ready for the next
	gone    chan struct{} // the port failed or was closed
	once    sync.Once
	cause   error
	running sync.WaitGroup
}

func newWire(port Port, packets chan<- Packet) *wire {
	w := &wire{
		port:    port,
		packets: packets,
		out:     make(chan []byte, 1),
		written: make(chan struct{}, 1),
		gone:    make(chan struct{}),
	}
	guarded.In(&w.running, "serial reader", w.read, w.fail)
	guarded.In(&w.running, "serial writer", w.write, w.fail)
	return w
}

// fail ends the wire; the first cause counts.
func (w *wire) fail(cause error) {
	w.once.Do(func() {
		w.cause = cause
		close(w.gone)
	})
}

// close ends the wire and waits for its goroutines.
func (w *wire) close() {
	w.fail(io.ErrClosedPipe)
	_ = w.port.Close()
	w.running.Wait()
}

func (w *wire) read() {
	var dec Decoder
	buf := make([]byte, 512)
	for {
		hang.Here("serial reader")
		n, err := w.port.Read(buf)
		dec.Feed(buf[:n], func(p Packet) {
			if p.Bridge {
				return // an echo of our own
			}
			p.Data = append([]byte(nil), p.Data...)
			select {
			case w.packets <- p:
			case <-w.gone:
			}
		})
		switch {
		case err != nil:
			w.fail(err)
			return
		case n == 0: // no Port of ours does that, but a loop without end would be worse
			w.fail(io.ErrNoProgress)
			return
		}
	}
}

func (w *wire) write() {
	for {
		hang.Here("serial writer")
		select {
		case b := <-w.out:
			if _, err := w.port.Write(b); err != nil {
				w.fail(err)
				return
			}
			w.written <- struct{}{}
		case <-w.gone:
			return
		}
	}
}

// backlog is how long the bytes in front of the wire still take; zero where the
// port cannot tell.
func (w *wire) backlog(baud int) time.Duration {
	if q, ok := w.port.(queued); ok {
		if n, err := q.Queued(); err == nil {
			return WireTime(n, baud)
		}
	}
	return 0
}
