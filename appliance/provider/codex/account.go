package codex

import "strings"

// Account is who Codex works for.
type Account struct {
	// Known is false while the server has not said.
	Known bool
	// Needed says that nobody is signed in, and somebody has to be. A model
	// provider of the owner's own may need nobody.
	Needed bool
	// Type is apiKey, chatgpt, or another of the server's words; empty if
	// nobody is signed in.
	Type  string
	Email string
	Plan  string
}

// String says it in a line.
func (a Account) String() string {
	switch {
	case !a.Known:
		return "not known"
	case a.Needed:
		return "not signed in"
	case a.Type == "apiKey":
		return "API key"
	case a.Email != "":
		return strings.TrimSpace(a.Email + " " + a.Plan)
	case a.Type == "":
		return "no sign-in needed"
	}
	return a.Type
}

// accountRead is the answer to account/read.
type accountRead struct {
	Account *struct {
		Type     string `json:"type"`
		Email    string `json:"email"`
		PlanType string `json:"planType"`
	} `json:"account"`
	RequiresOpenaiAuth bool `json:"requiresOpenaiAuth"`
}

func (r accountRead) account() Account {
	a := Account{Known: true, Needed: r.Account == nil && r.RequiresOpenaiAuth}
	if r.Account != nil {
		a.Type, a.Email, a.Plan = r.Account.Type, r.Account.Email, r.Account.PlanType
	}
	return a
}
