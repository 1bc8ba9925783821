package codex

import "slices"

// Status is what is known of Codex without asking it, for the STATUS tab and
// the pages.
type Status struct {
	Version  string // empty while the server never ran
	Home     string // the CODEX_HOME; empty where the server has its own
	Account  Account
	SignIn   DeviceCode // the sign-in that waits for the user; zero if none
	Limits   []Limit    // of a ChatGPT account; empty for an API key
	Warnings []string   // in words, with what is dangerous
}

// Status returns it.
func (p *Provider) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Status{
		Version: p.version, Home: p.cfg.home(), Account: p.account,
		Limits: slices.Clone(p.limits), Warnings: slices.Clone(p.warnings),
	}
	if p.login != nil {
		s.SignIn = p.login.code
	}
	return s
}

// Warnings are the dangers that a user should know of.
func (p *Provider) Warnings() []string { return p.Status().Warnings }
