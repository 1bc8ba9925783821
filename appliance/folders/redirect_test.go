package folders_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/folders/folderstest"
)

// moved makes the server send everybody to another one, and counts there the
// requests that show a token.
func moved(t *testing.T, s *folderstest.Server) (shown *atomic.Int32) {
	t.Helper()
	shown = &atomic.Int32{}
	var backend http.Handler
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			shown.Add(1)
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(other.Close)
	ca, err := os.ReadFile(s.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	ca = append(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: other.Certificate().Raw})...)
	if err := os.WriteFile(s.CAFile, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	wrap := func(next http.Handler) http.Handler {
		backend = next
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.RequestURI, http.StatusMovedPermanently)
		})
	}
	s.Wrap(wrap)
	return shown
}

func TestTokenIsNotShownToAServerThatTheFirstOneNames(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, _ := keeper(t, s)
	shown := moved(t, s)
	err := k.Clone(t.Context(), folders.Source{URL: s.URL, Token: config.NewSecret("s3cret")}, "game", nil)
	if n := shown.Load(); n != 0 {
		t.Errorf("the other server saw the token %d times", n)
	}
	if err == nil || !strings.Contains(err.Error(), "moved") {
		t.Errorf("%v", err)
	}
	if err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "open", nil); err != nil {
		t.Errorf("a public one: %v", err)
	}
}

func TestRedirectToAnotherProtocolIsNotFollowed(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, dir := keeper(t, s)
	for _, to := range []string{"http://127.0.0.1:1/x.git/info/refs", "file:///etc/passwd", "ftp://127.0.0.1:1/x/info/refs"} {
		wrap := func(http.Handler) http.Handler {
			return http.RedirectHandler(to, http.StatusFound)
		}
		s.Wrap(wrap)
		if err := k.Clone(t.Context(), folders.Source{URL: s.URL}, "game", nil); err == nil || !strings.Contains(err.Error(), "not supported or disabled") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAddressIsTakenAsAPhoneWritesIt(t *testing.T) {
	s := folderstest.Start(t, 0)
	k, _ := keeper(t, s)
	if err := k.Clone(t.Context(), folders.Source{URL: "Https" + strings.TrimPrefix(s.URL, "https")}, "game", nil); err != nil {
		t.Error(err)
	}
}
