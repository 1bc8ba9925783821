package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/wifi"
)

// app is the running bridge: everything that serve puts together. What parts
// share and what must outlive their restarts is here.
type app struct {
	log      *slog.Logger
	asked    serveOptions  // as the command line says it
	options  serveOptions  // with the settings filled in
	wish     chan struct{} // for a new start
	data     *dataFolder
	troubles []string      // what was wrong at the start and is since
	faults   *faults       // that the program survived
	guard    string        // what the guard did before this start; empty: nothing new
	user     *privsep.User // the agent is; nil: whoever runs this program
	provider provider.Provider
	leases   *lease.Table
	keeper   *folders.Keeper // nil: nothing can be made in the workspaces
	settings *config.Store
	pairing  whoMayDrive
	bridge   *bridge.Server
	c64s     *door
	browsers *door
	serial   *serialLine   // nil: there is none
	disk     *support.Disk // nil: the log is not kept on disk
	sandbox  *sandbox      // nil: Codex is not tried
	health   *health.Keeper
	name     localName
	wifi     *wifi.Manager   // nil: others look after the Wi-Fi
	updates  *update.Updater // nil: this is no device
	tree     *supervisor.Tree
	closers  []func(context.Context) error
}

// parts lists what runs, in the order of the start; the end goes backwards. A
// part that is not wanted has no service.
func (a *app) parts() []supervisor.Part {
	return []supervisor.Part{
		a.settingsPart(),
		a.growPart(),
		a.leasesPart(),
		a.bridgePart(),
		a.serialPart(),
		a.wifiPart(),
		a.diskPart(),
		a.sandboxPart(),
		a.healthPart(),
		a.pagesPart(),
		a.updatesPart(),
		a.mdnsPart(),
	}
}

// startApp starts everything, or leaves nothing behind.
func startApp(ctx context.Context, o serveOptions, log *slog.Logger) (*app, error) {
	a := &app{log: log, wish: make(chan struct{}, 1)}
	if err := a.start(o); err != nil {
		deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		_ = a.close(deadline)
		return nil, err
	}
	return a, nil
}

func (a *app) start(o serveOptions) error {
	a.makeFaults()
	o.systemClock(a.log) // before anybody asks for the time
	if err := a.openData(o); err != nil {
		return err
	}
	o.data = a.data.path
	a.settings = openSettings(o, a.log)
	a.asked, a.options = o, o.withSettings(a.settings, a.log)
	a.makeLog()
	a.readGuard(time.Now())
	a.openUser()
	if err := a.startLeases(); err != nil {
		return err
	}
	if err := a.openDoors(); err != nil {
		return err
	}
	a.makeSerial()
	a.makeBridge()
	a.makeWifi()
	a.makeSandbox()
	a.makeHealth()
	a.makeUpdates()
	a.noteRunning()
	a.startParts()
	return a.tellGuard()
}

// openData opens the data folder; a device goes on without one.
func (a *app) openData(o serveOptions) error {
	var err error
	if !o.device {
		if a.data, err = openData(o.data); err != nil {
			err = fmt.Errorf("%w; choose another with -data DIR", err)
		}
	} else {
		var unusable error
		a.data, unusable = openDeviceData(o.data)
		if words := o.damage(); words != "" { // then the other follows from it
			unusable = errors.New(words + ". " + firstboot.WayOut)
		}
		if unusable != nil {
			a.trouble(unusable)
		}
	}
	if err == nil {
		a.onClose(func(context.Context) error { return a.data.close() })
	}
	return err
}

// trouble notes what is wrong since the start, for STATUS and the pages.
func (a *app) trouble(err error) {
	a.log.Error("the device starts with trouble", "err", err)
	a.troubles = append(a.troubles, err.Error())
}

// openDoors opens the listeners.
func (a *app) openDoors() error {
	c64s, browsers := "-listen", "-web"
	if a.options.device { // it has no command line
		c64s, browsers = `"listen" in its settings`, `"web" in its settings`
	}
	a.c64s = &door{what: "C64s", flag: c64s, addr: a.options.listen, spare: deviceListen}
	a.browsers = &door{what: "browsers", flag: browsers, addr: a.options.web, spare: deviceWeb}
	return errors.Join(a.openDoor(a.c64s), a.openDoor(a.browsers))
}

// openDoor opens a listener. Where a device cannot open it, its part goes on
// trying.
func (a *app) openDoor(d *door) error {
	if err := d.open(); err != nil && !a.options.device {
		return err
	} else if err != nil {
		a.trouble(err)
		d.openSpare()
	}
	a.onClose(func(context.Context) error { return d.close() })
	return nil
}

// startParts starts what parts lists.
func (a *app) startParts() {
	a.tree = supervisor.New(a.log.With("part", "supervisor"))
	a.onClose(a.tree.Stop)
	for _, p := range a.parts() {
		if p.Service != nil {
			a.tree.Add(p)
		}
	}
}

// wait returns when ctx is done, with errAgain when the owner wants a new start, or
// with the error of a part that is needed and could not be kept running.
func (a *app) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.tree.Failed():
		return err
	case <-a.wish:
		return errAgain
	}
}

func (a *app) onClose(f func(context.Context) error) { a.closers = append(a.closers, f) }

// close ends everything in the opposite order of its start. Where something does
// not end it gives up when ctx is done.
func (a *app) close(ctx context.Context) error {
	done := make(chan error, 1)
	guarded.Go("end of the bridge", func() {
		var errs []error
		for _, f := range slices.Backward(a.closers) {
			errs = append(errs, guarded.Call("end of the bridge", func() error { return f(ctx) }))
		}
		done <- errors.Join(errs...)
	}, func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("end: not everything ended in time: %w", ctx.Err())
	}
}

// closeListener closes a listener that its server may have closed already.
func closeListener(l net.Listener) error {
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func (a *app) bridgeAddr() net.Addr { return a.c64s.address() }

func (a *app) webAddr() net.Addr { return a.browsers.address() }
