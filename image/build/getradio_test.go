package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

func TestEachFirmwareIsFetchedOnceAndKept(t *testing.T) {
	again := [3]string{"brcm/x.raspberrypi,3-model-b-plus.bin", radio3B[1], radio3B[2]}
	p := publish(t, radio3B, again, radio4B)
	g, said := p.getter(t)
	whole(t, g, radio3B, again, radio4B)
	if !slices.Equal(p.asked(), []string{"dir/source.bin", "dir/other.bin"}) {
		t.Errorf("asked for %q", p.asked())
	}
	if !strings.Contains(said.String(), "source.bin, 5 bytes") {
		t.Errorf("it says %q", said)
	}
	p.Close() // a later build needs no network
	whole(t, g, radio3B, again, radio4B)
	if left, err := os.ReadDir(g.fetcher.Dir); err != nil || len(left) != 3 { // with the lock
		t.Errorf("beside the files lie %v, %v", left, err)
	}
}

func TestFirmwareThatWasDamagedInTheCacheIsFetchedAnew(t *testing.T) {
	p := publish(t, radio3B, radio4B)
	g, _ := p.getter(t)
	whole(t, g, radio3B, radio4B)
	list, _ := radios()
	if err := os.WriteFile(filepath.Join(g.fetcher.Dir, list[1].digest.String()), []byte("others"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole(t, g, radio3B, radio4B)
	if !slices.Equal(p.asked(), []string{"dir/source.bin", "dir/other.bin", "dir/other.bin"}) {
		t.Errorf("asked for %q", p.asked())
	}
}

// refusing is a client whose connections are all refused, and counts them.
func refusing(tries *int) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		*tries++
		return nil, errors.New("the network is unreachable")
	}}}
}

func TestWithoutNetworkOneFileIsAskedForAndBoardsAreNamed(t *testing.T) {
	p := publish(t, radio3B, table3B, radio4B)
	g, _ := p.getter(t)
	tries := 0
	g.fetcher.Client = refusing(&tries)
	texts, why, err := got(t, g)
	if err != nil || len(texts) != 0 || !strings.Contains(why, "the network is unreachable") || tries != firmwareTries {
		t.Errorf("%d files after %d connections, %q, %v", len(texts), tries, why, err)
	}
	whole3B := [][3]string{radio3B, table3B}
	firmwareOf(t, whole3B...)
	g.fetcher.Client = p.Client()
	whole(t, g, whole3B...)
	firmwareOf(t, radio4B, radio3B, table3B) // what is in the cache is used without a network, too
	g.fetcher.Client = refusing(&tries)
	if texts, why, err = got(t, g); err != nil || len(texts) != 2 || why == "" {
		t.Errorf("%d files from the cache, %q, %v", len(texts), why, err)
	}
}

func TestBuildGoesOnWithoutFirmwareUnlessTheCardNeedsIt(t *testing.T) {
	p := publish(t, radio3B, radio4B)
	p.odd = http.NotFound
	f := Firmware{Address: p.URL + "/commit", Client: p.Client()}
	_, said, err := added(t, f)
	if err != nil || !strings.Contains(said, "no Wi-Fi on Raspberry Pi 3B, Raspberry Pi 4B: ") || !strings.Contains(said, "404") || !strings.Contains(said, "--firmware DIR") {
		t.Errorf("%s, %v", said, err)
	}
	if len(p.asked()) != 1 {
		t.Errorf("asked for %q", p.asked())
	}
	f.Needed = true
	if _, _, err := added(t, f); err == nil || !strings.Contains(err.Error(), "404") || !strings.Contains(err.Error(), "--firmware none") {
		t.Errorf("a card for Wi-Fi: %v", err)
	}
}

// Some of the boards have their firmware, but the card's may be another.
func TestHalfAFetchIsNotEnoughForACardThatNeedsIt(t *testing.T) {
	p := publish(t, radio3B, radio4B)
	p.odd = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, radio4B[1]) {
			http.NotFound(w, r)
			return
		}
		p.serve(w, r, [][3]string{radio3B})
	}
	f := Firmware{Address: p.URL + "/commit", Client: p.Client()}
	if r, said, err := added(t, f); err != nil || len(r.files) != 1 || strings.Contains(said, "3B") {
		t.Errorf("%d files, %s, %v", len(r.files), said, err)
	}
	f.Needed = true
	if _, _, err := added(t, f); err == nil || !strings.Contains(err.Error(), "Raspberry Pi 4B") {
		t.Error(err)
	}
}

func TestFirmwareOfAnotherContentStopsTheBuild(t *testing.T) {
	p := publish(t, radio3B, radio4B)
	for name, text := range map[string]string{"changed": "Radio", "shorter": "rad", "longer": "radio and more"} {
		p.odd = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"two"`)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
		}
		g, _ := p.getter(t)
		texts, _, err := got(t, g)
		if !errors.Is(err, fetch.ErrDigest) || len(texts) != 0 || !strings.Contains(err.Error(), "firmware.tsv") {
			t.Errorf("%s: %d files, %v", name, len(texts), err)
		}
		list, _ := radios()
		if _, err := os.Stat(filepath.Join(g.fetcher.Dir, list[0].digest.String())); err == nil {
			t.Errorf("%s: it is in the cache", name)
		}
	}
}

// long is firmware of some size.
var long = [3]string{"brcm/x.raspberrypi,3-model-b.bin", "dir/long.bin", string(bytes.Repeat([]byte("firmware"), 10_000))}

func TestFirmwareCutInTheMiddleGoesOn(t *testing.T) {
	p := publish(t, long)
	g, _ := p.getter(t)
	cut := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(long[2])))
		_, _ = w.Write([]byte(long[2][:50_000]))
		panic(http.ErrAbortHandler)
	}
	g.fetcher.Tries, p.odd = 1, cut
	if texts, why, err := got(t, g); err != nil || len(texts) != 0 || !strings.Contains(why, "the line broke") {
		t.Fatalf("%d files, %q, %v", len(texts), why, err)
	}
	p.odd = nil
	whole(t, g, long)
	if p.asked()[1] != "dir/long.binbytes=50000-" {
		t.Errorf("asked for %q", p.asked())
	}
}

func TestServerThatIsSilentOrSlowIsLeft(t *testing.T) {
	p := publish(t, long, radio4B)
	p.odd = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(long[2])))
		_, _ = w.Write([]byte(long[2][:1000]))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	g, _ := p.getter(t)
	g.fetcher.Stall = 300 * time.Millisecond
	if texts, why, err := got(t, g); err != nil || len(texts) != 0 || !strings.Contains(why, "silent") || slices.Contains(p.asked(), radio4B[1]) {
		t.Errorf("silent: %d files, %q, %v, asked for %q", len(texts), why, err, p.asked())
	}
	p.odd = func(w http.ResponseWriter, r *http.Request) { // never silent for long, and never done
		w.Header().Set("Content-Length", fmt.Sprint(firmwareLimit))
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte("."))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
	g, _ = p.getter(t)
	g.limit = 300 * time.Millisecond
	if texts, why, err := got(t, g); err != nil || len(texts) != 0 || !strings.Contains(why, "it took longer than") {
		t.Errorf("slow: %d files, %q, %v", len(texts), why, err)
	}
}

func TestFirmwareIsNotFetchedInTheClear(t *testing.T) {
	p := publish(t, radio3B)
	visits := 0
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visits++
		p.serve(w, r, [][3]string{radio3B})
	}))
	defer plain.Close()
	moved := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/commit/"+radio3B[1] && r.URL.RawQuery == "" {
				http.Redirect(w, r, to+r.URL.Path+"?moved", http.StatusFound)
				return
			}
			p.serve(w, r, [][3]string{radio3B})
		}
	}
	p.odd = moved(plain.URL)
	g, _ := p.getter(t)
	if texts, why, err := got(t, g); err != nil || len(texts) != 0 || !strings.Contains(why, "https to http") || len(p.asked()) != 1 {
		t.Errorf("%d files, %q, %v", len(texts), why, err)
	}
	g.Firmware.Address = plain.URL + "/commit"
	if _, _, err := got(t, g); err == nil || !strings.Contains(err.Error(), "no https address") {
		t.Errorf("an http address: %v", err)
	}
	if visits != 0 {
		t.Errorf("the server without encryption was asked %d times", visits)
	}
	p.odd = moved(p.URL)
	g, _ = p.getter(t)
	whole(t, g, radio3B)
}

func TestInterruptedFetchOfFirmwareEndsTheBuild(t *testing.T) {
	p := publish(t, radio3B, radio4B)
	ctx, cancel := context.WithCancelCause(t.Context())
	p.odd = func(_ http.ResponseWriter, r *http.Request) {
		cancel(errors.New("interrupted"))
		<-r.Context().Done()
	}
	g, _ := p.getter(t)
	list, err := radios()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.get(ctx, list); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
}

func TestTwoBuildsFetchFirmwareOneAfterTheOther(t *testing.T) {
	p := publish(t, radio3B)
	g, _ := p.getter(t)
	if err := os.MkdirAll(g.fetcher.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	release, err := hold(t.Context(), filepath.Join(g.fetcher.Dir, ".lock"))
	if err != nil {
		t.Fatal(err)
	}
	g.limit = 300 * time.Millisecond
	if _, _, err := got(t, g); err == nil || !strings.Contains(err.Error(), "another build") || len(p.asked()) != 0 {
		t.Errorf("beside another build: %v, asked for %q", err, p.asked())
	}
	release()
	g.limit = firmwareTime
	whole(t, g, radio3B)
}
