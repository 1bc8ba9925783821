package main

import (
	"context"
	"net"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/supervisor"
)

// listenerPatience is how often within ten minutes a listener may fail before
// the program ends with its error.
const listenerPatience = 10

// makeBridge makes what holds the connections, so that they outlive a listener
// that is opened again.
func (a *app) makeBridge() {
	pairing := bridge.NewPairing(a.options.pairing.code, a.options.pairing.allow)
	a.pairing = pairing
	cfg := bridge.Config{Leases: a.leases, Pairing: pairing, Log: a.log.With("part", "bridge")}
	if a.options.device { // where the agent is somebody else, who must not answer for the owner
		cfg.Foreign = privsep.Foreign
	}
	a.bridge = bridge.New(cfg)
	a.onClose(a.bridge.Shutdown)
	if tcp, ok := a.c64s.address().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && a.options.pairing.code == "" {
		a.log.Warn("there is no pairing code: only addresses on the allow list get in", "set", codeVariable)
	}
}

// bridgePart takes the connections of C64s on the network.
func (a *app) bridgePart() supervisor.Part {
	return supervisor.Part{
		Name: "bridge", Deadline: supervisor.DefaultDeadline, Patience: listenerPatience, Needed: true,
		Service: supervisor.Func(func(ctx context.Context) error {
			l, err := a.c64s.take()
			if err != nil {
				return err
			}
			return a.bridge.Serve(ctx, supervisor.Accepting(ctx, l))
		}),
	}
}
