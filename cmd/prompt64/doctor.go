package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

var doctorCommand command

func init() {
	doctorCommand = command{
		name:    "doctor",
		args:    "[-json] [-data DIR]",
		summary: "Says how the bridge does and what it needs, as a tree.",
		run:     runDoctor,
	}
}

// Bounds of a question to the bridge.
const (
	askTime    = 10 * time.Second
	answerSize = 1 << 20
)

// finding is what doctor prints.
type finding struct {
	Asked  string // the bridge's address; empty: looked from here
	Note   string // why
	Report health.Report
}

func runDoctor(s streams, args []string) error {
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print the tree as JSON")
	data := dataFlag(fs)
	if err := parse(s, doctorCommand, fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return usagef("%q is left over", fs.Arg(0))
	}
	dir, err := data()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	found := lookAround(ctx, dir)
	if err := found.print(s.out, *asJSON); err != nil {
		return err
	}
	if !found.Report.Healthy() {
		return errUnwell
	}
	return nil
}

// lookAround asks the bridge that runs, or looks by itself.
func lookAround(ctx context.Context, data string) finding {
	at, runs := findRunning(data)
	if !runs {
		return finding{Note: "no bridge runs with the data in " + data, Report: lookFromHere(ctx, data, nil)}
	}
	report, err := askBridge(ctx, at.Web)
	if err == nil {
		return finding{Asked: at.Web, Report: report}
	}
	return finding{
		Note:   fmt.Sprintf("the bridge runs, but its pages at %s do not tell how it is: %v", at.Web, err),
		Report: lookFromHere(ctx, data, func() string { return at.Bridge }),
	}
}

// askBridge fetches the report of a bridge on this machine.
func askBridge(ctx context.Context, web string) (r health.Report, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+web+"/health.json", nil)
	if err != nil {
		return r, err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // and no proxy
	res, err := client.Do(req)
	if err != nil {
		return r, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, answerSize))
	switch {
	case err != nil:
		return r, err
	case res.StatusCode != http.StatusOK:
		return r, fmt.Errorf("they answer %s", res.Status)
	}
	return r, json.Unmarshal(body, &r)
}

// lookFromHere checks what can be checked beside a bridge, or without one.
func lookFromHere(ctx context.Context, data string, bridge func() string) health.Report {
	o := serveOptions{data: data, agent: agentOptions{name: providerNames()[0]}}
	options := o.settingsOptions()
	settings, state := config.Read(options)
	if settings.Provider != "" {
		o.agent.name = settings.Provider
	}
	if settings.Workspaces != "" {
		o.workspaces = options.Folder(settings.Workspaces)
	}
	return examined{
		clock:      checks.SystemClock(),
		data:       data,
		workspaces: o.workspacesShown(),
		settings:   func() config.State { return state },
		serial: func() checks.SerialLine {
			return checks.SerialLine{Port: settings.Serial.Port, Baud: settings.Serial.Baud}
		},
		agentName: o.agent.name,
		agent: func(context.Context) ([]doctor.Finding, error) {
			return glance(o.agent, data, func() codex.Status { return codex.Status{} })
		},
		bridge: bridge,
		leases: func() []checks.Lease { return nil },
	}.tree().Run(ctx)
}

func (f finding) print(w io.Writer, asJSON bool) error {
	if !asJSON {
		head := "As the bridge at " + f.Asked + " says:"
		if f.Asked == "" {
			head = "Looked from here: " + f.Note + "."
		}
		_, err := fmt.Fprintf(w, "%s\n\n%s", head, f.Report.Text())
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Asked string        `json:"asked,omitempty"` // empty: looked from here
		Note  string        `json:"note,omitempty"`
		Worst health.State  `json:"worst"`
		Nodes []health.Node `json:"nodes"`
	}{f.Asked, f.Note, f.Report.Worst(), f.Report.Nodes})
}
