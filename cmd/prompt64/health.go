package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/guardlog"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/supervisor"
)

// examined is what the health checks look at, of a bridge that runs or of one that
// does not.
type examined struct {
	data       string
	damage     func() string // of what the data lies on
	workspaces string
	clock      checks.Clock
	settings   func() config.State
	serial     func() checks.SerialLine
	radio      func() checks.Radio // nil: the Wi-Fi is not looked after by this program
	agentName  string
	agent      func(context.Context) ([]doctor.Finding, error)
	bridge     func() string // its address; nil: it does not run
	leases     func() []checks.Lease
}

// tree puts the checks together, in the order in which they are shown.
func (e examined) tree() *health.Tree {
	return health.New(
		checks.Power(checks.System()),
		e.dataFolder().Probe(),
		checks.Settings(e.settings),
		checks.Wifi(e.radio),
		checks.Network{System: checks.System(), Interfaces: checks.SystemInterfaces}.Probe(),
		e.clock.Probe(),
		checks.Agent(func() string { return e.agentName }, e.agent),
		checks.Workspace(e.workspaces, checks.Folder),
		checks.Serial(e.serial, checks.Exists),
		checks.Bridge(e.bridge),
		checks.C64(e.leases),
	)
}

// dataFolder is the check of the data folder, and of what it lies on.
func (e examined) dataFolder() checks.Data {
	d := checks.DataFolder(e.data)
	d.Damage, d.Remedy = e.damage, firstboot.WayOut
	return d
}

// healthDeadline is more than the slowest look takes, and the pause after it.
const healthDeadline = 2 * time.Minute

// healthPart looks at the bridge's health from time to time.
func (a *app) healthPart() supervisor.Part {
	return supervisor.Part{Name: a.health.String(), Deadline: healthDeadline, Service: a.health}
}

// makeHealth makes what looks at the health.
func (a *app) makeHealth() {
	a.health = health.NewKeeper(examined{
		clock:      a.options.systemClock(a.log),
		data:       a.options.data,
		damage:     a.options.damage,
		workspaces: a.options.workspacesShown(),
		settings:   a.settings.State,
		serial:     a.serialHealth,
		radio:      a.radioHealth(),
		agentName:  a.options.agent.name,
		agent:      a.agentFindings,
		bridge:     func() string { return guardlog.Dialable(a.c64s.address()) },
		leases:     a.leasesHealth,
	}.tree(), a.log.With("part", "health"), supervisor.Pet)
}

// workspacesShown is the folder of the workspaces.
func (o serveOptions) workspacesShown() string {
	if o.workspaces == "" {
		return filepath.Join(o.data, "workspaces")
	}
	return o.workspaces
}

func (a *app) serialHealth() checks.SerialLine {
	line := checks.SerialLine{Port: a.options.serial.port, Baud: a.options.serial.baud}
	for _, l := range a.leases.Snapshot() {
		line.Attached = line.Attached || l.Attached && l.Addr == "serial "+line.Port
	}
	return line
}

func (a *app) leasesHealth() []checks.Lease {
	var out []checks.Lease
	for _, l := range a.leases.Snapshot() {
		out = append(out, checks.Lease{Addr: l.Addr, Attached: l.Attached, Stale: l.Stale})
	}
	return out
}
