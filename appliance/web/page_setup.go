package web

import "net/http"

// setupPage lists what can be set, with what is set now.
func setupPage() page {
	p := page{path: "/setup", label: "Set-up", icon: "setup", routes: []route{{"GET /setup", signedIn, showSetup}}}
	for _, part := range setupParts() {
		p.routes = append(p.routes, part.routes...)
	}
	return p
}

// setupPart is one row of Set-up.
type setupPart struct {
	Path, Label, Icon string
	now               func(*Site) (words string, done bool)
	routes            []route
}

func setupParts() []setupPart { return []setupPart{} }

// setupRow is a part with what is set now.
type setupRow struct {
	setupPart
	Now  string
	Done bool
}

func showSetup(v *visit) error {
	var rows []setupRow
	for _, part := range setupParts() {
		words, done := part.now(v.site)
		rows = append(rows, setupRow{part, words, done})
	}
	return v.show(http.StatusOK, "setup", "Set-up", rows)
}
