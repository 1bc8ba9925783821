package web

import (
	"net/http"

	"github.com/prompt64/prompt64/appliance/health"
)

// homePage says how the bridge is and what to do next.
func homePage() page {
	return page{path: "/", label: "Home", icon: "home", routes: []route{
		{"GET /{$}", shown, showHome},
	}}
}

// homeData is what templates/home.html shows.
type homeData struct {
	State
	Next nextStep
	Rows []treeRow
	Boot bool // there is a boot partition to put files on
}

// treeRow is a node of the tree with how far it is from its root.
type treeRow struct {
	health.Node
	Depth int
	Mend  remedy // of what is wrong with it
}

// deepest is how far rows are moved in; a phone has no room for more.
const deepest = 5

// treeRows puts each node beneath the last of its needs, as the report's text does.
func treeRows(r health.Report) []treeRow {
	depth := map[string]int{}
	beneath := map[string][]health.Node{}
	for _, n := range r.Nodes {
		parent := ""
		for _, m := range r.Nodes {
			if _, seen := depth[m.ID]; seen && needs(n, m.ID) {
				parent = m.ID
			}
		}
		depth[n.ID] = depth[parent] + 1
		beneath[parent] = append(beneath[parent], n)
	}
	var rows []treeRow
	var walk func(parent string)
	walk = func(parent string) {
		for _, n := range beneath[parent] {
			rows = append(rows, treeRow{Node: n, Depth: min(depth[n.ID]-1, deepest)})
			walk(n.ID)
		}
	}
	walk("")
	return rows
}

func needs(n health.Node, id string) bool {
	for _, need := range n.Needs {
		if need == id {
			return true
		}
	}
	return false
}

// nextStep is what the owner should do now.
type nextStep struct {
	Title string
	Words string
	Path  string // where; empty: nothing to press
	Label string // of the button
}

func showHome(v *visit) error {
	data := homeData{State: v.site.State(), Boot: v.site.Settings.State().Boot}
	var report health.Report
	if v.site.Tree != nil {
		report = v.site.Tree(v.r.Context())
	}
	data.Rows = treeRows(report)
	if v.session != nil {
		data.Next = v.site.nextStep(report)
		for i := range data.Rows {
			data.Rows[i].Mend = v.site.remedy(data.Rows[i].Node)
		}
	}
	return v.show(http.StatusOK, "home", "Home", data)
}

// remedy is a page on which trouble can be mended.
type remedy struct{ Path, Label string }

// mending says where the trouble of a node can be mended.
var mending = map[string]remedy{
	health.Wifi: {"/setup/wifi", "Wi-Fi"}, health.Network: {"/setup/wifi", "Wi-Fi"}, health.Agent: {"/setup/agent", "Agent"},
	health.Workspace: {"/setup/workspaces", "Workspaces"}, health.Data: {"/setup/workspaces", "Workspaces"},
	health.Serial: {"/setup/serial", "Serial line"}, health.Settings: {"/setup", "Set-up"}, health.C64: {"/c64", "C64"},
}

// remedy says where what is wrong with a node can be mended; it is empty where
// nothing is, or where no page helps.
func (s *Site) remedy(n health.Node) remedy {
	switch {
	case n.State != health.Fail && n.State != health.Warn:
		return remedy{}
	case n.ID == health.Data && s.Damage() != "":
		return remedy{erasePath, "Erase"}
	}
	return mending[n.ID]
}

// nextStep finds the first thing that is wrong, or that is missing on the way to
// a conversation.
func (s *Site) nextStep(report health.Report) nextStep {
	trouble, troubled := report.Trouble()
	if troubled && trouble.State == health.Fail {
		words, at, label := trouble.Hint, s.remedy(trouble), "Mend it"
		if words == "" {
			words = trouble.Detail
		}
		if at.Path == erasePath {
			label = "Erase it here"
		}
		return nextStep{"?" + trouble.Name + " error", sentence(words), at.Path, label}
	}
	for _, row := range s.setupData().Rows {
		if row.Todo != "" && !row.Done {
			return nextStep{"What next?", row.Todo, row.Path, row.Label}
		}
	}
	if len(s.Pending()) > 0 {
		return nextStep{"What next?", "Start the bridge again, so that what you set is in force.", "/setup", "Set-up"}
	}
	if s.State().Attached == 0 {
		return nextStep{"Ready.", "Load the program on your C64 and start it.", "/c64", "Get the program"}
	}
	return nextStep{Title: "Ready.", Words: "Your C64 is connected. Talk to the agent there."}
}
