package codex

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
)

// signedOut is a stage where nobody is signed in.
func signedOut(t *testing.T, change ...func(*Config)) *stage {
	t.Helper()
	st := &stage{t: t, Server: &codextest.Server{Home: t.TempDir(), SignedOut: true}}
	st.p = newPipeProvider(t, st.Server, change...)
	st.s = st.open(provider.Spec{Workspace: t.TempDir()})
	return st
}

func TestTurnWithoutAnAccountShowsTheDeviceCode(t *testing.T) {
	st := signedOut(t)
	end := endOf(st.play("hello"))
	want := "Open " + codextest.DeviceURL + " and enter " + codextest.DeviceCode
	if end.End != provider.EndFailed || !strings.HasPrefix(end.Reason, want) {
		t.Errorf("the end is %+v", end)
	}
	status := st.p.Status()
	if status.SignIn.String() != want || status.Account.String() != "not signed in" {
		t.Errorf("the status is %+v", status)
	}
	st.play("hello") // the same code
	if n := len(st.Calls("account/login/start")); n != 1 {
		t.Errorf("%d sign-ins were begun", n)
	}
	if n := len(st.Calls("turn/start")); n != 0 {
		t.Errorf("%d turns were started that could only fail", n)
	}
	done := make(chan error, 1)
	go func() { done <- st.p.AwaitLogin(t.Context()) }()
	st.FinishLogin("")
	if err := <-done; err != nil {
		t.Errorf("AwaitLogin: %v", err)
	}
	if a, err := st.p.Account(t.Context()); err != nil || a.Needed {
		t.Errorf("the account is %+v, %v", a, err)
	}
	if end := endOf(st.play("hello")); end.End != provider.EndDone {
		t.Errorf("signed in, the end is %+v", end)
	}
}

func TestDeviceSignInTellsItsEnd(t *testing.T) {
	for reason, want := range map[string]string{"": "", "Login was not completed": "Login was not completed"} {
		st := signedOut(t)
		code, err := st.p.LoginWithDevice(t.Context())
		if err != nil || code.Code != codextest.DeviceCode || code.URL != codextest.DeviceURL {
			t.Fatalf("LoginWithDevice: %+v, %v", code, err)
		}
		done := make(chan error, 1)
		st.p.mu.Lock()
		l := st.p.login
		st.p.mu.Unlock()
		go func() { done <- st.p.AwaitLogin(t.Context()) }()
		st.FinishLogin(reason)
		<-l.done
		if l.err == nil && want != "" || l.err != nil && !strings.Contains(l.err.Error(), want) {
			t.Errorf("the sign-in ended as %v", l.err)
		}
		<-done
		if st.p.Status().SignIn != (DeviceCode{}) {
			t.Error("it still shows a code")
		}
	}
}

func TestEndOfASignInIsKeptUntilSomebodyAsks(t *testing.T) {
	for _, reason := range []string{"", "Login was not completed"} {
		st := signedOut(t)
		if _, err := st.p.LoginWithDevice(t.Context()); err != nil {
			t.Fatal(err)
		}
		st.FinishLogin(reason)
		if _, err := st.p.Account(t.Context()); err != nil { // behind the end
			t.Fatal(err)
		}
		err := st.p.AwaitLogin(t.Context())
		if (err == nil) != (reason == "") || err != nil && !strings.Contains(err.Error(), reason) {
			t.Errorf("AwaitLogin after %q: %v", reason, err)
		}
	}
}

func TestSignInEndsWithItsContextAndItsServer(t *testing.T) {
	st := signedOut(t)
	if _, err := st.p.LoginWithDevice(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := st.p.AwaitLogin(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("AwaitLogin: %v", err)
	}
	if _, err := st.p.Account(t.Context()); err != nil { // behind the cancel
		t.Fatal(err)
	}
	if n := len(st.Calls("account/login/cancel")); n != 1 {
		t.Errorf("%d cancels were sent", n)
	}
	if _, err := st.p.LoginWithDevice(t.Context()); err != nil {
		t.Fatal(err)
	}
	st.Drop()
	if err := st.p.AwaitLogin(t.Context()); !errors.Is(err, errSignInDropped) {
		t.Errorf("AwaitLogin behind a death: %v", err)
	}
}

func TestKeySignsInAndIsNeverLogged(t *testing.T) {
	const key = "sk-very-secret"
	var log bytes.Buffer
	st := signedOut(t, func(c *Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	if err := st.p.LoginWithKey(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if end := endOf(st.play("hello")); end.End != provider.EndDone {
		t.Errorf("the end is %+v", end)
	}
	if err := st.p.Logout(t.Context()); err != nil {
		t.Error(err)
	}
	if !st.p.Status().Account.Needed {
		t.Error("signed out, nobody seems to be needed")
	}
	_ = st.p.Close()
	if strings.Contains(log.String(), key) {
		t.Error("the key stands in the log")
	}
	if st.p.LoginWithKey(t.Context(), "two words") == nil {
		t.Error("two words are no key")
	}
}

func TestKeyIsReadAsOneLine(t *testing.T) {
	for in, want := range map[string]string{"sk-1\n": "sk-1", " sk-2 ": "sk-2", "sk-3\nmore": "sk-3", "": "", "\n": "", strings.Repeat("x", 5000): ""} {
		got, err := ReadKey(strings.NewReader(in))
		if got != want || (err == nil) != (want != "") {
			t.Errorf("ReadKey(%.10q) = %q, %v", in, got, err)
		}
	}
}

func TestStoredKeyIsNobodyElsesToRead(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(home+"/auth.json", []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &server{p: newPipeProvider(t, &codextest.Server{}), home: home}
	if err := s.guardKey(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(home + "/auth.json"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

func TestAccountsAreNamed(t *testing.T) {
	for want, a := range map[string]Account{
		"not known":         {},
		"not signed in":     {Known: true, Needed: true},
		"API key":           {Known: true, Type: "apiKey"},
		"me@here plus":      {Known: true, Type: "chatgpt", Email: "me@here", Plan: "plus"},
		"no sign-in needed": {Known: true},
		"amazonBedrock":     {Known: true, Type: "amazonBedrock"},
	} {
		if a.String() != want {
			t.Errorf("%+v is %q", a, a)
		}
	}
}
