package folders_test

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
)

// server serves a repository by git's own protocol over https.
type server struct {
	url, caFile string
	wrap        atomic.Pointer[func(http.Handler) http.Handler]
}

func serve(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	script := `set -e
git init -q -b main work && cd work
mkdir src && echo '10 PRINT "HI"' > src/game.bas && ln -s /etc/passwd link
printf '*.bas filter=evil\n' > .gitattributes
git add -A && git -c user.name=a -c user.email=a@example.com commit -q -m one
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m two
cd .. && git clone -q --bare work game.git`
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=/dev/null"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := &server{}
	backend := gitBackend(t, dir)
	h := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wrap := s.wrap.Load(); wrap != nil {
			(*wrap)(backend).ServeHTTP(w, r)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	s.url, s.caFile = h.URL+"/game.git", filepath.Join(dir, "ca.pem")
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw})
	if err := os.WriteFile(s.caFile, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *server) keeper(t *testing.T) (*folders.Keeper, string) {
	dir := t.TempDir()
	return open(t, dir, folders.Trusting(folders.Options{}, s.caFile)), dir
}

func TestRepositoryIsClonedWholeWithProgress(t *testing.T) {
	s := serve(t)
	k, dir := s.keeper(t)
	var stages []string
	err := k.Clone(t.Context(), folders.Source{URL: s.url, Whole: true}, "game", func(p folders.Progress) { stages = append(stages, p.Stage) })
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
	if err := k.Clone(t.Context(), folders.Source{URL: s.url}, "game", nil); !errors.Is(err, folders.ErrTaken) {
		t.Errorf("again: %v", err)
	}
}

func TestCloneWithoutHistoryHasOneCommit(t *testing.T) {
	s := serve(t)
	k, dir := s.keeper(t)
	if err := k.Clone(t.Context(), folders.Source{URL: s.url}, "game", nil); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-c", "safe.directory=*", "-C", filepath.Join(dir, "game"), "rev-list", "--count", "HEAD").Output()
	if strings.TrimSpace(string(out)) != "1" {
		t.Errorf("%s commits, %v", out, err)
	}
}

func TestTokenReachesItsServerAndNoArgument(t *testing.T) {
	s := serve(t)
	k, dir := s.keeper(t)
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
	s.wrap.Store(&guard)
	if err := k.Clone(t.Context(), folders.Source{URL: s.url}, "game", nil); err == nil || !strings.Contains(err.Error(), "private") {
		t.Errorf("without a token: %v", err)
	}
	from := folders.Source{URL: s.url, Token: config.NewSecret("s3cret")}
	if err := k.Clone(t.Context(), from, "game", nil); err != nil {
		t.Fatal(err)
	}
	if args := strings.Join(folders.Arguments(from, "x"), " "); strings.Contains(args, "s3cret") || strings.Contains(args, want) {
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
	s := serve(t)
	k, dir := s.keeper(t)
	ctx, stop := context.WithCancelCause(t.Context())
	reached := make(chan struct{})
	hang := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(reached)
			<-r.Context().Done()
		})
	}
	s.wrap.Store(&hang)
	go func() {
		<-reached
		stop(errors.New("stopped by the owner"))
	}()
	if err := k.Clone(ctx, folders.Source{URL: s.url}, "game", nil); err == nil || !strings.Contains(err.Error(), "stopped by the owner") {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestCloneFailuresAreInWords(t *testing.T) {
	s := serve(t)
	k, _ := s.keeper(t)
	for url, want := range map[string]string{
		strings.Replace(s.url, "game", "nothing", 1): "no repository",
		"https://127.0.0.1:1/x.git":                  "does not answer",
	} {
		if err := k.Clone(t.Context(), folders.Source{URL: url}, "other", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", url, err)
		}
	}
	strangers := open(t, t.TempDir(), folders.Options{})
	if err := strangers.Clone(t.Context(), folders.Source{URL: s.url}, "x", nil); err == nil || !strings.Contains(err.Error(), "could not prove") {
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
