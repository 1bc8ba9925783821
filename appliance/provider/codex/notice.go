package codex

import "fmt"

// noticed takes what the server tells of no thread.
func (p *Provider) noticed(srv *server, m *message) {
	switch m.Method {
	case "account/login/completed":
		e := decode[struct {
			LoginID string
			Success bool
			Error   string
		}](m.Params)
		var err error
		if !e.Success {
			err = fmt.Errorf("sign in: %s", plainMessage(e.Error))
		}
		p.endLogin(e.LoginID, err)
	case "account/updated":
		srv.c.request("account/read", map[string]any{}, func(m *message) {
			if m.Error == nil {
				p.setAccount(decode[accountRead](m.Result).account())
			}
		})
	case "account/rateLimits/updated":
		if limits := decode[rateLimits](m.Params).limits(); len(limits) > 0 {
			p.mu.Lock()
			p.limits = limits
			p.mu.Unlock()
		}
	case "configWarning", "deprecationNotice":
		e := decode[struct{ Summary string }](m.Params)
		p.cfg.Logger.Info("codex: " + m.Method + ": " + e.Summary)
	}
}
