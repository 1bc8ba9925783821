package web

import (
	"bytes"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
)

// brokenSite is pages of which the templates with these names cannot be made.
func brokenSite(t *testing.T, names ...string) (s *Site, logged *bytes.Buffer) {
	t.Helper()
	logged = &bytes.Buffer{}
	s = New(Config{
		Settings: config.Open(config.Options{Dir: t.TempDir()}),
		State:    func() State { return State{} },
		Log:      slog.New(slog.NewTextHandler(logged, nil)),
	})
	t.Cleanup(s.Close)
	for _, name := range names {
		s.templates[name] = template.Must(template.New("frame").Parse("{{define \"frame\"}}half a page{{.Page.No.Such.Field}}{{end}}"))
	}
	return s, logged
}

func readFrom(s *Site, path string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", path, nil)
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:5000"
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestPageThatCannotBeMadeIsToldAndNoHalfOfItIsSent(t *testing.T) {
	s, logged := brokenSite(t, "welcome")
	w := readFrom(s, "/welcome")
	if body := w.Body.String(); w.Code != http.StatusInternalServerError || strings.Contains(body, "half a page") ||
		!strings.Contains(body, "<h1>That did not work</h1>") || !strings.Contains(body, "the log says why") || strings.Contains(body, "page welcome") {
		t.Errorf("status %d: %s", w.Code, body)
	}
	if !strings.Contains(logged.String(), "page welcome") {
		t.Errorf("logged: %s", logged)
	}
}

func TestProblemThatCannotBeShownIsToldInPlainWords(t *testing.T) {
	s, logged := brokenSite(t, "problem")
	w := readFrom(s, "/nothing")
	if body := w.Body.String(); w.Code != http.StatusNotFound || body != "There is no such page.\n" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("status %d: %s %v", w.Code, body, w.Header())
	}
	if !strings.Contains(logged.String(), "page cannot be shown") {
		t.Errorf("logged: %s", logged)
	}
}

func TestPartThatCannotBeMadeIsToldInWords(t *testing.T) {
	s, _ := brokenSite(t)
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/update/state", nil)
	v := s.visit(w, r)
	err := v.showPart(http.StatusOK, "update", "no such part", nil)
	if err == nil || w.Body.Len() != 0 {
		t.Fatalf("%v, and %q was sent", err, w.Body)
	}
	v.fail(err)
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "This did not work") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestErrorsOfPagesSayInTheLogWhatTheVisitorIsTold(t *testing.T) {
	cause := errors.New("no route")
	for want, err := range map[string]error{
		"go to /setup":          elsewhere("/setup"),
		"Try again.":            fault{http.StatusConflict, "Try again.", nil},
		"Try again. : no route": fault{http.StatusConflict, "Try again. ", cause},
	} {
		if err.Error() != want {
			t.Errorf("%q instead of %q", err.Error(), want)
		}
	}
	if !errors.Is(fault{http.StatusConflict, "Try again.", cause}, cause) {
		t.Error("the cause is lost")
	}
}
