package doctor

import "fmt"

// State is how a check ended.
type State string

// The states.
const (
	OK      State = "ok"
	Warning State = "warning" // it runs, but something is not as it should be
	Missing State = "missing" // it does not run
)

// Finding is what one check found.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"`   // what to do, for who has a command line
	Page  string `json:"page,omitempty"` // and on the pages; empty: the same
}

// OnPages is what to do for who has the pages and nothing else.
func (f Finding) OnPages() string {
	if f.Page == "" {
		return f.Do
	}
	return f.Page
}

// NotInstalled says that Codex, or one of its files, is not there.
func NotInstalled(says string) Finding {
	return Finding{Check: "program", State: Missing, Says: says, Do: "run: prompt64 agent install codex", Page: "install it under Set-up, Agent"}
}

// NobodySignedIn says that Codex has no account.
func NobodySignedIn() Finding {
	return Finding{Check: "sign-in", State: Missing, Says: "nobody is signed in", Do: "run: prompt64 agent login codex", Page: "sign in under Set-up, Agent"}
}

// Healthy reports whether nothing is missing.
func Healthy(findings []Finding) bool {
	for _, f := range findings {
		if f.State == Missing {
			return false
		}
	}
	return true
}

// report collects findings.
type report []Finding

func (r *report) ok(check, format string, args ...any) {
	*r = append(*r, Finding{Check: check, State: OK, Says: fmt.Sprintf(format, args...)})
}

func (r *report) warn(check, do, format string, args ...any) {
	*r = append(*r, Finding{Check: check, State: Warning, Says: fmt.Sprintf(format, args...), Do: do})
}

func (r *report) missing(check, do, format string, args ...any) {
	*r = append(*r, Finding{Check: check, State: Missing, Says: fmt.Sprintf(format, args...), Do: do})
}
