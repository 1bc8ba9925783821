package codex

import (
	"bufio"
	"context"

	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
)

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

// DeviceCode is a sign-in that waits for the user: open the address on any
// machine, and enter the code there.
type DeviceCode struct {
	URL  string
	Code string
}

// String is the line for a C64.
func (d DeviceCode) String() string { return "Open " + d.URL + " and enter " + d.Code }

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

// login is a device-code sign-in under way.
type login struct {
	srv  *server
	id   string
	code DeviceCode
	done chan struct{} // closed when it is over
	err  error         // set before that
}

// errSignInDropped is the end of a sign-in whose server died.
var errSignInDropped = errors.New("sign in: codex ended; start again")

// Account asks the server who is signed in.
func (p *Provider) Account(ctx context.Context) (Account, error) {
	srv, err := p.server(ctx)
	if err != nil {
		return Account{}, fmt.Errorf("account: %w", err)
	}
	ctx, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	var answer accountRead
	if err := srv.c.call(ctx, "account/read", map[string]any{}, &answer); err != nil {
		return Account{}, fmt.Errorf("account: %w", err)
	}
	p.setAccount(answer.account())
	return answer.account(), nil
}

// LoginWithKey signs in with an API key, which the server stores in its home.
// The key is never logged, and never stands on a command line.
func (p *Provider) LoginWithKey(ctx context.Context, key string) error {
	if key = strings.TrimSpace(key); key == "" || strings.ContainsAny(key, " \t\r\n") {
		return errors.New("sign in: that is no API key: it is one word")
	}
	srv, err := p.server(ctx)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	wait, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	params := map[string]string{"type": "apiKey", "apiKey": key}
	if err := srv.c.call(wait, "account/login/start", params, nil); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	if err := srv.guardKey(); err != nil {
		return err
	}
	_, err = p.Account(ctx)
	return err
}

// guardKey makes sure that nobody else can read what the server stored.
func (s *server) guardKey() error {
	if s.p.cfg.Remote || s.home == "" {
		return nil
	}
	path := filepath.Join(s.home, "auth.json")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return nil // it may keep keys elsewhere
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return fmt.Errorf("sign in: the key's file can be read by others: %w", err)
	}
	return nil
}

// LoginWithDevice begins a sign-in by device code, or returns the one that is
// under way. AwaitLogin tells its end.
func (p *Provider) LoginWithDevice(ctx context.Context) (DeviceCode, error) {
	srv, err := p.server(ctx)
	if err != nil {
		return DeviceCode{}, fmt.Errorf("sign in: %w", err)
	}
	type outcome struct {
		code DeviceCode
		err  error
	}
	answer := make(chan outcome, 1)
	p.startDevice(srv, func(code DeviceCode, err error) { answer <- outcome{code, err} })
	ctx, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	select {
	case o := <-answer:
		return o.code, o.err
	case <-ctx.Done():
		return DeviceCode{}, fmt.Errorf("sign in: %w", ctx.Err())
	}
}

// startDevice begins a sign-in and calls then with its code, from the reader of
// the connection: its end cannot come before that.
func (p *Provider) startDevice(srv *server, then func(DeviceCode, error)) {
	p.mu.Lock()
	l := p.login
	p.mu.Unlock()
	if l != nil && l.srv == srv {
		then(l.code, nil)
		return
	}
	srv.c.request("account/login/start", map[string]string{"type": "chatgptDeviceCode"}, func(m *message) {
		if err := m.failure(); err != nil {
			then(DeviceCode{}, fmt.Errorf("sign in: is this machine on the internet? %w", err))
			return
		}
		answer := decode[struct{ LoginID, VerificationURL, UserCode string }](m.Result)
		l := &login{srv: srv, id: answer.LoginID, done: make(chan struct{}),
			code: DeviceCode{URL: answer.VerificationURL, Code: answer.UserCode}}
		p.mu.Lock()
		p.login, p.awaited = l, l
		p.mu.Unlock()
		then(l.code, nil)
	})
}

// AwaitLogin waits for the end of the latest sign-in by device code, which may
// have ended already. When ctx ends first, the sign-in is cancelled.
func (p *Provider) AwaitLogin(ctx context.Context) error {
	p.mu.Lock()
	l := p.awaited
	p.mu.Unlock()
	if l == nil {
		return errors.New("sign in: none is under way")
	}
	select {
	case <-l.done:
		return l.err
	case <-l.srv.c.dead:
		p.endLogin(l.id, errSignInDropped)
		select {
		case <-l.done: // perhaps before the server died
			return l.err
		default: // a later one took its place
			return errSignInDropped
		}
	case <-ctx.Done():
		l.srv.c.request("account/login/cancel", map[string]string{"loginId": l.id}, func(*message) {})
		p.endLogin(l.id, ctx.Err())
		return fmt.Errorf("sign in: %w", ctx.Err())
	}
}

// Logout forgets the account.
func (p *Provider) Logout(ctx context.Context) error {
	srv, err := p.server(ctx)
	if err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	wait, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	if err := srv.c.call(wait, "account/logout", nil, nil); err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	_, err = p.Account(ctx)
	return err
}

// endLogin ends the sign-in of that name.
func (p *Provider) endLogin(id string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.login; l != nil && l.id == id {
		l.err = err
		close(l.done)
		p.login = nil
	}
}

func (p *Provider) setAccount(a Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.account = a
}

// needsSignIn reports whether a turn cannot begin, as nobody is signed in.
func (p *Provider) needsSignIn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.account.Needed
}

// signIn ends a turn that cannot begin with what to do: the C64 shows the
// address and the code of a sign-in that is begun for it.
func (s *session) signIn(t *turn) {
	t.sent = true // cancelling it must wait for this answer
	s.srv.p.startDevice(s.srv, func(code DeviceCode, err error) {
		words := code.String() + ", then ask again."
		if err != nil {
			words = "Codex is not signed in. Run: prompt64 agent login codex. " + plainMessage(err.Error())
		}
		s.inbox.post(func() {
			end := provider.EndEvent{End: provider.EndFailed, Reason: words}
			if s.isCancelled(t) {
				end = provider.EndEvent{End: provider.EndCancelled}
			}
			s.finish(t, end)
		})
	})
}

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

// ReadKey reads an API key of one line, from a file or a pipe.
func ReadKey(r io.Reader) (string, error) {
	line, err := readLine(bufio.NewReader(io.MultiReader(r, strings.NewReader("\n"))), 4096)
	key := strings.TrimSpace(string(line))
	var long *tooLongError
	switch {
	case errors.As(err, &long):
		return "", errors.New("sign in: that is no API key: it is too long")
	case err != nil:
		return "", fmt.Errorf("sign in: read the key: %w", err)
	case key == "":
		return "", errors.New("sign in: the key is empty")
	}
	return key, nil
}
