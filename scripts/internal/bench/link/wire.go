// Package link measures the bridge's way from the provider to a client's socket:
// how long one delta takes, and how fast a retained log is replayed. Everything
// is beside a bare loopback connection in the same run.
//
// The bridge, its provider and the client share one process and its scheduler,
// as bare connection and its two ends do; no C64 and no network is in it.
package link

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// wire is a bare loopback connection whose far end sends back what it gets.
type wire struct {
	near, far net.Conn
	there     chan time.Time // when a message reached the far end
	back      chan time.Time // when it was back
	size      int
}

// newWire makes a wire for messages of one size.
func newWire(size int) (*wire, error) {
	near, far, err := connect()
	if err != nil {
		return nil, fmt.Errorf("bare connection: %w", err)
	}
	w := &wire{near: near, far: far, size: size, there: make(chan time.Time, 1), back: make(chan time.Time, 1)}
	go func() {
		defer close(w.there)
		receive(far, size, w.there, far)
	}()
	go func() {
		defer close(w.back)
		receive(near, size, w.back, io.Discard)
	}()
	return w, nil
}

// connect makes a connection over loopback.
func connect() (near, far net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	near, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, nil, err
	}
	far, err = l.Accept()
	if err != nil {
		return nil, nil, errors.Join(err, near.Close())
	}
	return near, far, nil
}

// receive notes when each message is there, and passes it on.
func receive(from io.Reader, size int, at chan<- time.Time, to io.Writer) {
	buf := make([]byte, size)
	for {
		if _, err := io.ReadFull(from, buf); err != nil {
			return
		}
		at <- time.Now()
		if _, err := to.Write(buf); err != nil {
			return
		}
	}
}

// ping sends one message and gives the time to the far end and back.
func (w *wire) ping() (there, back time.Duration, err error) {
	start := time.Now()
	if _, err := w.near.Write(make([]byte, w.size)); err != nil {
		return 0, 0, fmt.Errorf("bare connection: %w", err)
	}
	t, ok := <-w.there
	b, ok2 := <-w.back
	if !ok || !ok2 {
		return 0, 0, errors.New("bare connection: it ended")
	}
	return t.Sub(start), b.Sub(start), nil
}

// Close ends both ends and their goroutines.
func (w *wire) Close() error {
	err := errors.Join(w.near.Close(), w.far.Close())
	for range w.there {
	}
	for range w.back {
	}
	return err
}
