package web

import "net/http"

// setupPage lists what can be set, with what is set now.
func setupPage() page {
	p := page{path: "/setup", label: "Set-up", icon: "setup", routes: []route{
		{"GET /setup", signedIn, showSetup},
		{"POST /setup/restart", signedIn, restart},
	}}
	for _, part := range setupParts() {
		p.routes = append(p.routes, part.routes...)
	}
	return p
}

// setupPart is one row of Set-up.
type setupPart struct {
	Path, Label, Icon string
	now               func(*Site) setupNow
	routes            []route
}

// setupNow is how a part is set.
type setupNow struct {
	Words string
	Done  bool
	Todo  string // what to do while it is not done; empty: it may stay as it is
}

// setupParts are in the order in which a new device is set up.
func setupParts() []setupPart {
	return []setupPart{wifiPart(), pairingPart(), agentPart(), workspacesPart(), serialPart(), devicePart()}
}

// setupRow is a part with what is set now.
type setupRow struct {
	setupPart
	setupNow
}

type setupData struct {
	Rows       []setupRow
	Pending    []string
	CanRestart bool
}

func (s *Site) setupData() setupData {
	data := setupData{Pending: s.Pending(), CanRestart: s.Restart != nil}
	for _, part := range setupParts() {
		data.Rows = append(data.Rows, setupRow{part, part.now(s)})
	}
	return data
}

func showSetup(v *visit) error {
	return v.show(http.StatusOK, "setup", "Set-up", v.site.setupData())
}

// restart puts settings in force that a bridge reads at its start.
func restart(v *visit) error {
	if v.site.Restart == nil {
		return fault{http.StatusNotFound, "This bridge cannot start itself again: end it, and start it.", nil}
	}
	v.site.Log.Info("a new start was asked for", "from", v.from())
	// The browser comes back by itself, by when the bridge is there again.
	v.w.Header().Set("Refresh", "5; url=/setup")
	err := v.show(http.StatusOK, "restarting", "Starting again", nil)
	if err == nil {
		v.site.Restart()
	}
	return err
}
