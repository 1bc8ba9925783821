package web

import "net/http"

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
}

// nextStep is what the owner should do now.
type nextStep struct {
	Words string
	Path  string // where; empty: nothing to press
	Label string // of the button
}

func showHome(v *visit) error {
	data := homeData{State: v.site.State(), Next: v.site.nextStep()}
	return v.show(http.StatusOK, "home", "Home", data)
}

// nextStep finds the first thing that is missing on the way to a conversation.
func (s *Site) nextStep() nextStep {
	st := s.Settings.Settings()
	switch {
	case st.Pairing.Code.Empty() && len(st.Pairing.Allow) < 2:
		return nextStep{"Choose who may talk to the agent: make a pairing code.", "/setup/pairing", "Make a pairing code"}
	case s.State().Attached == 0:
		return nextStep{"Load the program on your C64.", "/c64", "Get the program"}
	}
	return nextStep{Words: "A C64 is connected. All is well."}
}
