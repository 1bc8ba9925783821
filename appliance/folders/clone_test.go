package folders_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/folders/folderstest"
)

func keeper(t *testing.T, s *folderstest.Server) (*folders.Keeper, string) {
	dir := t.TempDir()
	return open(t, dir, folders.Options{CAFile: s.CAFile}), dir
}

func TestRepositoryIsClonedWholeWithProgress(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, dir := keeper(t, s)
	var stages []string
	err := k.Clone(t.Context(), folders.Source{URL: s.URL, Whole: true}, "game", func(p folders.Progress) { stages = append(stages, p.Stage) })
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "game/src/game.bas")); err != nil || !strings.Contains(string(text), "PRINT") {
		t.Errorf("the file: %q, %v", text, err)
	}
	if !strings.Contains(strings.Join(stages, ","), "receiving") {
		t.Errorf("stages %v", stages)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	if hooks, err := os.ReadDir(filepath.Join(dir, "game/.git/hooks")); err == nil && len(hooks) > 0 {
		t.Errorf("hooks: %v", hooks)
	}
	if err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", nil); !errors.Is(err, folders.ErrTaken) {
		t.Errorf("again: %v", err)
	}
}

func TestCloneWithoutHistoryHasOneCommit(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, dir := keeper(t, s)
	if err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", nil); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-c", "safe.directory=*", "-C", filepath.Join(dir, "game"), "rev-list", "--count", "HEAD").Output()
	if strings.TrimSpace(string(out)) != "1" {
		t.Errorf("%s commits, %v", out, err)
	}
}

func TestTokenReachesItsServerAndNoArgument(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, dir := keeper(t, s)
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:s3cret"))
	guard := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != want {
				w.Header().Set("WWW-Authenticate", "Basic")
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	s.Wrap(guard)
	if err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", nil); err == nil || !strings.Contains(err.Error(), "private") {
		t.Errorf("without a token: %v", err)
	}
	from := folders.Source{URL: s.URL, Token: config.NewSecret("s3cret")}
	if err := k.Clone(t.Context(), from, "game", nil); err != nil {
		t.Fatal(err)
	}
	if args := strings.Join(k.Arguments(from, "x"), " "); strings.Contains(args, "s3cret") || strings.Contains(args, want) {
		t.Error("the token is an argument")
	}
	settings, err := os.ReadFile(filepath.Join(dir, "game/.git/config"))
	if err != nil || strings.Contains(string(settings), "Authorization") {
		t.Errorf("the clone keeps the token: %s %v", settings, err)
	}
}

func TestCloneTakesHTTPSAndNothingElse(t *testing.T) {
	k := open(t, t.TempDir(), folders.Options{})
	for _, url := range []string{
		"", "ext::sh -c id", "https://x/y::z", "file:///etc", "/etc", "../x", "ssh://git@example.com/x", "git@example.com:x", "http://example.com/x",
		"git://example.com/x", "--upload-pack=id", "-x", "https://", "https:///x", "https://example.com", "https://example.com/",
		"https://user:pw@example.com/x", "https://user@example.com/x", "https://-x/y", "https://example.com/a b", "https://example.com/a\nb",
		"https://example.com/$(id)", "https://example.com/`id`", "https://example.com/x#y", "https://example.com:99999/x", "https://example.com:0/x", "https://" + strings.Repeat("x", 600) + "/y",
	} {
		if err := k.Clone(t.Context(), folders.Source{URL: url}, "game", nil); !errors.Is(err, folders.ErrAddress) {
			t.Errorf("%q: %v", url, err)
		}
	}
	from := folders.Source{URL: "https://example.com/x", Token: config.NewSecret("a\r\nX-Evil: 1")}
	if err := k.Clone(t.Context(), from, "game", nil); !errors.Is(err, folders.ErrToken) {
		t.Errorf("token: %v", err)
	}
}

func TestCloneThatEndsEarlyLeavesNothing(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, dir := keeper(t, s)
	ctx, stop := context.WithCancelCause(t.Context())
	reached := make(chan struct{})
	hang := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(reached)
			<-r.Context().Done()
		})
	}
	s.Wrap(hang)
	go func() {
		<-reached
		stop(errors.New("stopped by the owner"))
	}()
	if err := k.Clone(ctx, folders.Source{URL: s.URL}, "game", nil); err == nil || !strings.Contains(err.Error(), "stopped by the owner") {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestCloneThatIsCutHalfWaySaysSoAndLeavesNothing(t *testing.T) {
	s := folderstest.Start(t, 200)
	k, dir := keeper(t, s)
	const files = 200 << 10 // bytes, and the middle of the files is reached
	for _, c := range []struct {
		after int
		end   func(*folderstest.Pack)
	}{{10, (*folderstest.Pack).Cut}, {files, (*folderstest.Pack).Cut}, {files, (*folderstest.Pack).End}} {
		pack := s.Hold(c.after)
		go func() {
			<-pack.Held
			c.end(pack)
		}()
		got := 0
		err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", func(p folders.Progress) { got = p.Percent })
		if err == nil || !strings.Contains(err.Error(), "hung up half-way") || got > 99 || (got > 0) != (c.after == files) {
			t.Errorf("behind %d bytes, at %d %%: %v", c.after, got, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
	}
	s.Wrap(nil)
	if err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", nil); err != nil {
		t.Errorf("again: %v", err)
	}
}

func TestCloneEndsWhenTheOtherSideFallsSilent(t *testing.T) {
	s := folderstest.Start(t, 200)
	dir := t.TempDir()
	k := open(t, dir, folders.Options{CAFile: s.CAFile, Silence: time.Second})
	pack := s.Hold(200 << 10)
	defer pack.Cut()
	err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", nil)
	if err == nil || !strings.Contains(err.Error(), "says nothing any more") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestCloneFailuresAreInWords(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, _ := keeper(t, s)
	for url, want := range map[string]string{
		strings.Replace(s.URL, "game", "nothing", 1): "no repository",
		"https://127.0.0.1:1/x.git":                  "does not answer",
	} {
		if err := k.Clone(t.Context(), folders.Source{URL: url}, "other", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", url, err)
		}
	}
	strangers := open(t, t.TempDir(), folders.Options{})
	if err := strangers.Clone(t.Context(), folders.Source{URL: s.URL}, "x", nil); err == nil || !strings.Contains(err.Error(), "could not prove") {
		t.Errorf("unknown certificate: %v", err)
	}
}

func TestGitInheritsNothingThatCouldRun(t *testing.T) {
	t.Setenv("GIT_SSH_COMMAND", "touch /evil")
	t.Setenv("GIT_PROXY_COMMAND", "touch /evil")
	k := open(t, t.TempDir(), folders.Options{})
	env := strings.Join(k.Environment(folders.Source{URL: "https://example.com/x"}), "\n")
	if strings.Contains(env, "evil") || !strings.Contains(env, "GIT_ALLOW_PROTOCOL=https\n") {
		t.Errorf("environment:\n%s", env)
	}
}
