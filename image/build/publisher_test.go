package build

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// publisher has made-up firmware on an https server of this computer.
type publisher struct {
	*httptest.Server
	odd http.HandlerFunc // answers in place of the files

	mu   sync.Mutex
	list []string
}

// asked are the requests so far: path and range.
func (p *publisher) asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}

// publish serves files, and puts them on the list.
func publish(t *testing.T, files ...[3]string) *publisher {
	t.Helper()
	firmwareOf(t, files...)
	p := &publisher{}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.list = append(p.list, strings.TrimPrefix(r.URL.Path, "/commit/")+r.Header.Get("Range"))
		p.mu.Unlock()
		if p.odd != nil {
			p.odd(w, r)
			return
		}
		p.serve(w, r, files)
	}))
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

func (p *publisher) serve(w http.ResponseWriter, r *http.Request, files [][3]string) {
	for _, f := range files {
		if r.URL.Path == "/commit/"+f[1] {
			w.Header().Set("ETag", `"one"`)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(f[2]))
			return
		}
	}
	http.NotFound(w, r)
}

// getter fetches from the server into a cache, without pauses.
func (p *publisher) getter(t *testing.T) (*radioGetter, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	g := newRadioGetter(Options{
		Cache:    t.TempDir(),
		Firmware: Firmware{Address: p.URL + "/commit", Client: p.Client()},
		Note:     func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) },
	})
	g.fetcher.Wait = func(context.Context, time.Duration) error { return nil }
	return g, &said
}

// got fetches the list, and returns the contents by the names they are installed as.
func got(t *testing.T, g *radioGetter) (texts map[string]string, why string, err error) {
	t.Helper()
	list, err := radios()
	if err != nil {
		t.Fatal(err)
	}
	have, why, err := g.get(t.Context(), list)
	texts = map[string]string{}
	for name, at := range have {
		text, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts, why, err
}

// whole expects all files of the list.
func whole(t *testing.T, g *radioGetter, files ...[3]string) {
	t.Helper()
	texts, why, err := got(t, g)
	if err != nil || why != "" || len(texts) != len(files) {
		t.Fatalf("%d of %d files, %q, %v", len(texts), len(files), why, err)
	}
	for _, f := range files {
		if texts[f[0]] != f[2] {
			t.Errorf("%s is %.20q", f[0], texts[f[0]])
		}
	}
}
