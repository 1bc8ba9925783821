package folderstest

import (
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// Server serves a repository of two commits.
type Server struct {
	URL    string // of the repository
	CAFile string // whom to trust

	wrap atomic.Pointer[func(http.Handler) http.Handler]
}

// work is what is in the repository beside the sprites: a link that leads out, and
// a filter that nobody should run.
const work = `set -e
git init -q -b main work && cd work
mkdir src && echo '10 PRINT "HI"' > src/game.bas && ln -s /etc/passwd link
printf '*.bas filter=evil\n' > .gitattributes
if [ -d ../sprites ]; then mv ../sprites .; fi
git add -A && git -c user.name=a -c user.email=a@example.com commit -q -m one
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m two
cd .. && git clone -q --bare work game.git`

// Start serves a repository with so many sprites until the test ends.
func Start(t testing.TB, sprites int) *Server {
	t.Helper()
	dir := t.TempDir()
	draw(t, filepath.Join(dir, "sprites"), sprites)
	cmd := exec.Command("sh", "-c", work)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=/dev/null"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := &Server{}
	backend := backend(t, dir)
	h := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wrap := s.wrap.Load(); wrap != nil {
			(*wrap)(backend).ServeHTTP(w, r)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	s.URL, s.CAFile = h.URL+"/game.git", filepath.Join(dir, "ca.pem")
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw})
	if err := os.WriteFile(s.CAFile, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// Wrap puts a handler before git's; nil takes it away.
func (s *Server) Wrap(wrap func(git http.Handler) http.Handler) {
	if wrap == nil {
		s.wrap.Store(nil)
		return
	}
	s.wrap.Store(&wrap)
}

// draw makes files that no compression makes smaller.
func draw(t testing.TB, dir string, n int) {
	t.Helper()
	if n == 0 {
		return
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	noise := rand.NewChaCha8([32]byte{64})
	for i := range n {
		sprite := make([]byte, 2<<10)
		_, _ = noise.Read(sprite) // never fails
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.spr", i)), sprite, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// backend is git's own server of the repositories in dir.
func backend(t testing.TB, dir string) http.Handler {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	return &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	}
}
