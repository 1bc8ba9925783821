package main

import (
	"context"
	"net"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/mdns"
	"github.com/prompt64/prompt64/appliance/supervisor"
)

// nameDeadline is much more than the responder takes between two looks at the
// network's interfaces.
const nameDeadline = time.Minute

// localName is the name that this machine has in the local network.
type localName struct {
	responder atomic.Pointer[mdns.Responder]
}

// status is what others see; the zero Status where the name is not looked after.
func (n *localName) status() mdns.Status {
	if r := n.responder.Load(); r != nil {
		return r.Status()
	}
	return mdns.Status{}
}

// mdnsPart gives the machine its name in the local network. A workstation has one of
// its own already, and gets this one only on request.
func (a *app) mdnsPart() supervisor.Part {
	part := supervisor.Part{Name: "mdns", Deadline: nameDeadline}
	if !a.options.device && !a.options.mdns {
		return part
	}
	if len(a.offered()) == 0 {
		a.log.Warn("-mdns has no effect: only this computer may connect; let others in with -listen and -web")
		return part
	}
	part.Service = supervisor.Func(a.answerToName)
	return part
}

// offered are the services that others can reach. A device's door that is not open
// yet will be, at the same port.
func (a *app) offered() []mdns.Service {
	var all []mdns.Service
	for _, o := range []struct {
		door *door
		kind string
		text []string
	}{{a.c64s, "_prompt64._tcp", nil}, {a.browsers, "_http._tcp", []string{"path=/"}}} {
		if tcp, ok := o.door.address().(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
			continue
		}
		if port := o.door.port(); port != 0 {
			all = append(all, mdns.Service{Type: o.kind, Port: port, Text: o.text})
		}
	}
	return all
}

// answerToName runs a responder for the name of the settings, and another one when
// that is changed.
func (a *app) answerToName(ctx context.Context) error {
	changes, cancel := a.settings.Subscribe()
	defer cancel()
	for host := (<-changes).Hostname; ; {
		r, err := mdns.New(mdns.Config{
			Host: host, Services: a.offered(), Air: a.options.machine.air,
			Logger: a.log.With("part", "mdns"), Alive: supervisor.Pet,
		})
		if err != nil {
			return err
		}
		a.name.responder.Store(r)
		next, err := serveName(ctx, r, host, changes)
		if next == host {
			return err
		}
		host = next
	}
}

// serveName runs a responder until the name is to be another one, and returns that.
// It is the responder that runs in the part's own goroutine, where a panic of it is
// caught.
func serveName(ctx context.Context, r *mdns.Responder, host string, changes <-chan config.Settings) (string, error) {
	run, stop := context.WithCancel(ctx)
	defer stop()
	name := make(chan string, 1)
	guarded.Go("changes of the name", func() {
		defer stop()
		name <- nextName(run, host, changes)
	}, func(error) { name <- host })
	err := r.Serve(run)
	stop()
	return <-name, err
}

// nextName waits for another name in the settings.
func nextName(ctx context.Context, host string, changes <-chan config.Settings) string {
	for {
		select {
		case s := <-changes:
			if s.Hostname != host {
				return s.Hostname
			}
		case <-ctx.Done():
			return host
		}
	}
}
