package codex

import (
	"context"
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
)

// DeviceCode is a sign-in that waits for the user: open the address on any
// machine, and enter the code there.
type DeviceCode struct {
	URL  string
	Code string
}

// String is the line for a C64.
func (d DeviceCode) String() string { return "Open " + d.URL + " and enter " + d.Code }

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
			words = "Codex is not signed in. Sign in on the pages: Set-up, Agent. " + plainMessage(err.Error())
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
