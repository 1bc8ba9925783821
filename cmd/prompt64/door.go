package main

import (
	"net"
	"strconv"
	"sync"
)

// door is an address that this program listens on. Its part may open it again
// and again; the address stays, even where port 0 chose it.
type door struct {
	what, flag string // for whom, and what names another address
	addr       string
	spare      string // of a device, where addr cannot be had

	mu    sync.Mutex
	fresh bool // open, and not taken yet
	l     net.Listener
}

// open opens the door for the first time, so that a fault is told at the start.
func (d *door) open() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.listen()
}

// openSpare opens a device's door at the spare address: one of the settings that
// is gone must not lock the owner out. Where that fails too, take tries again.
func (d *door) openSpare() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.addr = d.spare
	_ = d.listen()
}

func (d *door) listen() error {
	addr := d.addr
	if d.l != nil {
		addr = d.l.Addr().String()
	}
	l, err := listen(d.what, d.flag, addr)
	if err == nil {
		d.l, d.fresh = l, true
	}
	return err
}

// take returns the open listener, a new one if it was taken before. The caller
// closes it; where it got stuck instead, the next take does.
func (d *door) take() (net.Listener, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.fresh {
		if d.l != nil {
			_ = d.l.Close()
		}
		if err := d.listen(); err != nil {
			return nil, err
		}
	}
	d.fresh = false
	return d.l, nil
}

// close closes whatever is open.
func (d *door) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.l == nil {
		return nil
	}
	return closeListener(d.l)
}

// port is the door's, even before it is open.
func (d *door) port() uint16 {
	if at := d.address(); at != nil {
		return portOf(at)
	}
	_, port, err := net.SplitHostPort(d.addr)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return 0
	}
	return uint16(n)
}

// address is where the door is, nil if it was never open.
func (d *door) address() net.Addr {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.l == nil {
		return nil
	}
	return d.l.Addr()
}
