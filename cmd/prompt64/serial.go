package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/supervisor"
)

// serialOptions are the serial line to a C64; without a port there is none.
type serialOptions struct {
	port string
	baud int
}

// parseSerial reads PORT or PORT:BAUD.
func parseSerial(text string) (serialOptions, error) {
	o := serialOptions{port: text, baud: link.DefaultBaud}
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		o.port = text[:at]
		var err error
		if o.baud, err = strconv.Atoi(text[at+1:]); err != nil {
			return o, errors.New("write it as PORT or PORT:BAUD, such as /dev/ttyUSB0:38400")
		}
	}
	if o.port == "" {
		return o, errors.New("name the port, such as /dev/ttyUSB0")
	}
	if !slices.Contains(link.Bauds(), o.baud) {
		return o, fmt.Errorf("the speed is one of %s", strings.Trim(fmt.Sprint(link.Bauds()), "[]"))
	}
	return o, nil
}

// makeSerial makes what holds the serial line, where one is named.
func (a *app) makeSerial() {
	if o := a.options.serial; o.port != "" {
		a.serial = &serialLine{config: link.Config{Port: o.port, Baud: o.baud, Log: a.log.With("part", "serial")}}
		a.onClose(a.serial.release)
	}
}

// serialPart waits for a C64 at the serial line. Its port need not be there yet.
func (a *app) serialPart() supervisor.Part {
	if a.serial == nil {
		return supervisor.Part{}
	}
	return supervisor.Part{
		Name: "serial", Deadline: supervisor.DefaultDeadline,
		Service: supervisor.Func(func(ctx context.Context) error {
			l, err := a.serial.take(ctx)
			if err != nil {
				return err
			}
			ctx, stuck := context.WithCancelCause(ctx)
			defer stuck(nil)
			guarded.Go("look at the serial line", func() { lookAtLine(ctx, l, stuck) }, stuck)
			err = a.bridge.ServePaired(ctx, supervisor.Accepting(ctx, l))
			if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
				return cause // of ours
			}
			return err
		}),
	}
}

var errLineStuck = errors.New("the serial line's own goroutine is stuck")

// lookAtLine ends the service of a line whose own goroutine is stuck. What does
// not accept cannot tell that from a line without a C64.
func lookAtLine(ctx context.Context, l noting, stuck context.CancelCauseFunc) {
	tick := time.NewTicker(supervisor.DefaultDeadline)
	defer tick.Stop()
	for last := l.Turns(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		turns := l.Turns()
		if turns == last {
			stuck(errLineStuck)
			return
		}
		last = turns
	}
}

// serialFreeTime is how long a line that is taken anew waits for its port.
const serialFreeTime = 5 * time.Second

// serialLine is the line that is taken into use again and again.
type serialLine struct {
	config link.Config

	mu   sync.Mutex
	l    *link.Listener
	last net.Conn // the newest connection; an older one has ended
}

// take takes the line into use. An older connection on it is cut, since two
// cannot share a port; its C64 comes back to its lease.
func (s *serialLine) take(ctx context.Context) (noting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.l != nil {
		_ = s.l.Close()
		if s.last != nil {
			_ = s.last.Close()
		}
		free, cancel := context.WithTimeout(ctx, serialFreeTime)
		defer cancel()
		select {
		case <-s.l.Done():
		case <-free.Done(): // stuck; the port may be shared for a while
		}
	}
	l, err := link.Listen(s.config)
	if err != nil {
		return noting{}, err
	}
	s.l = l
	return noting{l, s}, nil
}

// noting notes the newest connection of a line.
type noting struct {
	*link.Listener
	line *serialLine
}

// Accept implements net.Listener.
func (n noting) Accept() (net.Conn, error) {
	nc, err := n.Listener.Accept()
	if err == nil {
		n.line.mu.Lock()
		defer n.line.mu.Unlock()
		n.line.last = nc
	}
	return nc, err
}

// release waits until the last connection has ended: a C64 gets its last words.
func (s *serialLine) release(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.l == nil {
		return nil
	}
	err := closeListener(s.l)
	select {
	case <-s.l.Done():
	case <-ctx.Done():
	}
	return err
}
