package mdns

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Config says what to be called and what to tell of.
type Config struct {
	Host     string // the name that is wanted, without .local
	Services []Service
	Logger   *slog.Logger        // nil: silence
	Air      func() (Air, error) // nil: the real one
	// Alive is called with Serve's context while all is well, within the time that
	// it returns or every few seconds; nil: nobody watches.
	Alive func(context.Context) time.Duration
}

// Status is what others see of this machine.
type Status struct {
	Name      string       // such as "prompt64.local"; empty: none yet
	Addresses []netip.Addr // where the name leads
	Trouble   string       // what is wrong, in words
}

// Responder answers for this machine. It is a service: Serve runs it.
type Responder struct {
	config Config
	log    *slog.Logger

	mu     sync.Mutex
	status Status

	// The rest belongs to Serve's goroutine.
	air       Air
	links     []Link
	names     names
	number    int  // of the name: 1, 2, ...
	ready     bool // the name is ours
	era       int  // of what is scheduled; another one begins with each new start
	conflicts []time.Time
	braked    bool // there were too many of them, and no name since
	due       []event
	told      map[told]time.Time // when records were multicast
}

// label is what a host's name may be.
var label = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

var serviceType = regexp.MustCompile(`^_[A-Za-z0-9-]{1,15}\._(tcp|udp)$`)

// New makes a responder that is not running yet.
func New(c Config) (*Responder, error) {
	if !label.MatchString(c.Host) {
		return nil, fmt.Errorf("host name %q: it is 1 to 63 letters, digits and hyphens, with no hyphen at an end", c.Host)
	}
	for _, s := range c.Services {
		if !serviceType.MatchString(s.Type) || s.Port == 0 {
			return nil, fmt.Errorf("service %q at port %d: write it as _name._tcp with a port", s.Type, s.Port)
		}
		for _, t := range s.Text {
			if len(t) > 255 {
				return nil, fmt.Errorf("service %q: a text of it is longer than 255 bytes", s.Type)
			}
		}
	}
	if c.Air == nil {
		c.Air = open
	}
	if c.Alive == nil {
		c.Alive = func(context.Context) time.Duration { return linkEvery }
	}
	log := c.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Responder{config: c, log: log}, nil
}

// String names the service.
func (r *Responder) String() string { return "mdns" }

// Status tells what others see now.
func (r *Responder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.status
	s.Addresses = slices.Clone(s.Addresses)
	return s
}

func (r *Responder) show(s Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = s
}

// Serve answers until ctx ends, and then says goodbye.
func (r *Responder) Serve(ctx context.Context) error {
	air, err := r.config.Air()
	if err != nil {
		r.show(Status{Trouble: "This machine's name cannot be announced: " + err.Error()})
		return err
	}
	r.air, r.links, r.due, r.ready, r.number, r.braked, r.told = air, nil, nil, false, 1, false, make(map[told]time.Time)
	packets, ended := make(chan Packet), make(chan error, 1)
	stop := make(chan struct{})
	guarded.Go("mdns reader", func() { ended <- hear(air, packets, stop) }, func(err error) { ended <- err })
	shut := sync.OnceFunc(func() { close(stop); _ = air.Close() })
	defer shut() // also where the loop panics
	err = r.loop(ctx, packets, ended)
	r.goodbye()
	r.show(Status{})
	shut()
	if err == nil {
		<-ended
		return ctx.Err()
	}
	return err
}

// hear hands on what comes, until the air is closed.
func hear(air Air, packets chan<- Packet, stop <-chan struct{}) error {
	for {
		p, err := air.Receive()
		if err != nil {
			return err
		}
		select {
		case packets <- p:
		case <-stop:
			return net.ErrClosed
		}
	}
}

// loop is the one goroutine that owns the state.
func (r *Responder) loop(ctx context.Context, packets <-chan Packet, ended <-chan error) error {
	r.start(0)
	r.look()
	look := time.NewTicker(linkEvery)
	defer look.Stop()
	alive := time.NewTicker(min(r.config.Alive(ctx), linkEvery))
	defer alive.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Reset(r.untilNext())
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return fmt.Errorf("hear questions about this machine's name: %w", err)
		case p := <-packets:
			r.take(p)
		case <-look.C:
			r.look()
		case <-alive.C:
			r.config.Alive(ctx)
		case <-timer.C:
			r.doNext()
		}
	}
}

// look sees which links there are. With another address everything begins anew.
func (r *Responder) look() {
	links, err := r.air.Links()
	if err != nil {
		r.log.Warn("cannot list network interfaces", "err", err)
		return
	}
	if sameLinks(r.links, links) {
		return
	}
	// One that cannot be heard on is tried again the next time.
	heard := links[:0:0]
	for _, l := range links {
		if err := r.air.Join(l); err != nil {
			r.log.Warn("cannot listen on an interface", "interface", l.Name, "err", err)
			continue
		}
		heard = append(heard, l)
	}
	if sameLinks(r.links, heard) {
		return
	}
	r.links = heard
	r.start(0)
}

func sameLinks(a, b []Link) bool {
	return slices.EqualFunc(a, b, func(x, y Link) bool {
		return x.Index == y.Index && x.Name == y.Name && slices.Equal(x.Prefixes, y.Prefixes)
	})
}
