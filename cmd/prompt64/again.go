package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/web"
)

// errAgain ends an app whose owner wants it started again, for settings that are
// read at the start only.
var errAgain = errors.New("start again")

// againPause lets the browser that asked fetch what its last page is made of.
const againPause = time.Second

// again asks for a new start; only the first wish counts.
func (a *app) again() {
	guarded.AfterFunc(againPause, "new start", func() {
		select {
		case a.wish <- struct{}{}:
		default:
		}
	}, nil)
}

// serveOn runs the bridge until ctx is done, as often as its owner wishes.
func serveOn(ctx context.Context, o serveOptions, out io.Writer, log *slog.Logger, stopping func()) error {
	o.sessions = web.NewSessions()
	for first := true; ; first = false {
		a, err := startApp(ctx, o, log)
		if err != nil {
			return err
		}
		if first {
			fmt.Fprintf(out, "ready bridge=%s web=%s\n", addrWords(a.bridgeAddr()), addrWords(a.webAddr()))
		}
		o.listen, o.web = samePort(o.listen, a.bridgeAddr()), samePort(o.web, a.webAddr())
		err = a.wait(ctx)
		wished := errors.Is(err, errAgain)
		if !wished {
			stopping() // a second signal ends the program at once
		}
		log.Info("ending", "again", wished)
		deadline, cancel := context.WithTimeout(context.Background(), shutdownTime)
		closeErr := a.close(deadline)
		cancel()
		switch {
		case wished && closeErr == nil:
		case wished, err == nil:
			return closeErr
		default:
			return err
		}
	}
}

// samePort keeps a port that was chosen by the system.
func samePort(option string, addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !strings.HasSuffix(option, ":0") {
		return option
	}
	host, _, err := net.SplitHostPort(option)
	if err != nil {
		return option
	}
	return net.JoinHostPort(host, fmt.Sprint(tcp.Port))
}

// pending says in words which settings wait for a new start.
func (a *app) pending() []string {
	if a.settings == nil {
		return nil
	}
	next := a.asked.withSettings(a.settings, slog.New(slog.DiscardHandler))
	var out []string
	if next.agent.name != a.options.agent.name {
		out = append(out, "the agent "+next.agent.name)
	}
	if next.serial != a.options.serial && (next.serial.port != "" || a.options.serial.port != "") {
		out = append(out, "the serial line")
	}
	if next.listen != a.options.listen || next.web != a.options.web {
		out = append(out, "the addresses of the bridge and of these pages")
	}
	if next.workspaces != a.options.workspaces {
		out = append(out, "the folder of the workspaces")
	}
	return out
}
