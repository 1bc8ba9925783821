package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// dialed is what came of a connection attempt.
type dialed struct {
	conn       net.Conn
	err        error
	unresolved bool
}

// open is OPEN TCP: port, host, NUL.
func (d *Device) open(args []byte, now uint64) op {
	port := int(args[0]) | int(args[1])<<8
	host, _, _ := bytes.Cut(args[2:], []byte{0})
	n := d.freeSocket()
	if n < 0 {
		return answer(stSocket)
	}
	s := &sock{number: n}
	d.socks[n] = s
	if net.ParseIP(string(host)) == nil && (d.faults.noDNS || !ascii(host)) {
		return d.fails(s, now+d.cycles(resolveGives), stHost)
	}
	switch {
	case d.faults.refuse:
		return d.fails(s, now, fmt.Sprintf(fmtConnect, eCONNRESET))
	case d.faults.connect != 0:
		return d.fails(s, now, fmt.Sprintf(fmtConnect, d.faults.connect))
	case d.faults.noAnswer || d.faults.hole:
		return d.fails(s, now+d.cycles(connectGives), fmt.Sprintf(fmtConnect, eCONNABORTED))
	}
	return d.dialing(s, string(host), port, now)
}

// ascii says whether a name could be one: PETSCII letters never resolve.
func ascii(name []byte) bool {
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(name) > 0
}

// freeSocket gives the lowest free number, as lwIP does.
func (d *Device) freeSocket() int {
	for i, s := range d.socks {
		if s == nil && !d.foreign[i] {
			return i
		}
	}
	return -1
}

// fails is an attempt that ends with a status at a time.
func (d *Device) fails(s *sock, at uint64, status string) op {
	return func(now uint64) (reply, bool) {
		if now < at {
			return reply{}, false
		}
		d.socks[s.number] = nil
		return reply{status: status}, true
	}
}

// dialing is an attempt at a real connection.
func (d *Device) dialing(s *sock, host string, port int, now uint64) op {
	ctx, cancel := context.WithCancel(d.ctx)
	result := make(chan dialed, 1)
	d.inAir = result
	d.wg.Add(1)
	go func() {
		defer d.wg.Done()
		result <- d.dial(ctx, host, port)
		d.poke()
	}()
	slow := now + d.cycles(resolveGives)
	late := now + d.cycles(connectGives)
	var failed op
	return func(now uint64) (reply, bool) {
		if failed != nil {
			return failed(now)
		}
		d.waits = true
		select {
		case r := <-result:
			cancel()
			d.inAir = nil
			if r.err == nil {
				d.opened(s, r.conn)
				return reply{data: []byte{byte(s.number)}, status: stOK}, true
			}
			d.waits = false
			failed = d.fails(s, now, fmt.Sprintf(fmtConnect, connectErrno(r.err)))
			if r.unresolved {
				failed = d.fails(s, slow, stHost)
			}
			return failed(now)
		default:
		}
		if now >= late {
			cancel()
			d.abandon()
			d.socks[s.number] = nil
			return reply{status: fmt.Sprintf(fmtConnect, eCONNABORTED)}, true
		}
		return reply{}, false
	}
}

// abandon closes a connection that comes too late.
func (d *Device) abandon() {
	result := d.inAir
	d.inAir = nil
	if result == nil {
		return
	}
	d.wg.Add(1)
	go func() {
		defer d.wg.Done()
		if r := <-result; r.conn != nil {
			r.conn.Close()
		}
	}()
}

// dial resolves and connects. lwIP is asked for IPv4 only.
func (d *Device) dial(ctx context.Context, host string, port int) dialed {
	addr := host
	if net.ParseIP(host) == nil {
		found, err := d.cfg.Resolve(ctx, host)
		if err != nil {
			return dialed{err: err, unresolved: true}
		}
		addr = firstIPv4(found)
		if addr == "" {
			return dialed{err: errors.New("no IPv4 address"), unresolved: true}
		}
	}
	c, err := d.cfg.Dial(ctx, "tcp4", net.JoinHostPort(addr, strconv.Itoa(port)))
	return dialed{conn: c, err: err}
}

func firstIPv4(addrs []string) string {
	for _, a := range addrs {
		if ip := net.ParseIP(a); ip != nil && ip.To4() != nil {
			return a
		}
	}
	return ""
}

func connectErrno(err error) int {
	switch {
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return eHOSTUNREACH
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET):
		return eCONNRESET
	}
	return eCONNABORTED
}
