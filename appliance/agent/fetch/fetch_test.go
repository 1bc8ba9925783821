package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// body returns bytes that no other offset repeats.
func body(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

const size = 300_000

type rig struct {
	fetcher *fetch.Fetcher
	file    []byte
	digest  fetch.Digest
	pauses  []time.Duration
}

func newRig(t *testing.T) *rig {
	r := &rig{file: body(size)}
	r.digest, _ = fetch.ParseDigest(agenttest.Digest(r.file))
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	r.fetcher = &fetch.Fetcher{
		Dir:    t.TempDir(),
		Client: &http.Client{Transport: transport},
		Wait: func(_ context.Context, d time.Duration) error {
			r.pauses = append(r.pauses, d)
			return nil
		},
	}
	return r
}

// fetch expects the whole file.
func (r *rig) fetch(t *testing.T, s *agenttest.Server) {
	t.Helper()
	path, err := r.fetcher.Fetch(t.Context(), s.URL, r.digest)
	if err != nil {
		t.Fatalf("%v; requests %q", err, s.Requests())
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, r.file) {
		t.Fatalf("%d bytes, not the file's: %v", len(got), err)
	}
}

// refused expects an error with the words, and returns it.
func (r *rig) refused(t *testing.T, s *agenttest.Server, words string) error {
	t.Helper()
	_, err := r.fetcher.Fetch(t.Context(), s.URL, r.digest)
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Fatalf("got %v, want %q; requests %q", err, words, s.Requests())
	}
	return err
}

func TestBrokenDownloadGoesOnWhereItBroke(t *testing.T) {
	r := newRig(t)
	s := agenttest.Serve(t, r.file, agenttest.CutAt(100_000), agenttest.CutAt(100_000), agenttest.CutAt(250_001))
	r.fetch(t, s)
	want := []string{"", "bytes=100000-", "bytes=100000-", "bytes=250001-"}
	if got := s.Requests(); !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

func TestBrokenDownloadGoesOnInALaterCall(t *testing.T) {
	r := newRig(t)
	r.fetcher.Tries = 1
	s := agenttest.Serve(t, r.file, agenttest.CutAt(200_000))
	r.refused(t, s, "goes on from 200000 bytes")
	r.fetch(t, s)
	if got := s.Requests(); got[1] != "bytes=200000-" {
		t.Errorf("asked for %q", got)
	}
	r.fetch(t, s) // nothing more is asked for
	if got := s.Requests(); len(got) != 2 {
		t.Errorf("asked %d times for a file that was there", len(got))
	}
}

func TestServerIsNotBelievedAboutRanges(t *testing.T) {
	for name, fault := range map[string]agenttest.Fault{
		"starts elsewhere":                  agenttest.LieAboutRange("bytes 0-299999/300000"),
		"ends early":                        agenttest.LieAboutRange("bytes 100000-200000/300000"),
		"no range":                          agenttest.LieAboutRange(""),
		"nonsense":                          agenttest.LieAboutRange("bytes x-y/z"),
		"backwards":                         agenttest.LieAboutRange("bytes 100000-5/6"),
		"right range but the whole file":    agenttest.LieAboutRange("bytes 100000-299999/300000"),
		"right range without a size":        agenttest.LieAboutRange("bytes 100000-299999/*"),
		"not satisfiable":                   agenttest.Answer(http.StatusRequestedRangeNotSatisfiable),
		"wrong bytes":                       agenttest.Garble,
		"whole file, though asked for less": func(s *agenttest.Server, w http.ResponseWriter, _ int) bool { return agenttest.CutAt(size)(s, w, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.fetch(t, agenttest.Serve(t, r.file, agenttest.CutAt(100_000), fault))
		})
	}
}

func TestPartThatWasNotAskedForIsRefused(t *testing.T) {
	r := newRig(t)
	s := agenttest.Serve(t, r.file, agenttest.LieAboutRange("bytes 0-299999/300000"))
	r.fetch(t, s)
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestFileThatChangedIsFetchedFromTheStart(t *testing.T) {
	r := newRig(t)
	r.fetcher.Tries = 1
	s := agenttest.Serve(t, bytes.Repeat([]byte("old"), 100_000), agenttest.CutAt(100_000))
	r.refused(t, s, "the line broke")
	s.Replace(r.file, `"two"`)
	r.fetch(t, s)
}

func TestBytesWithoutValidatorAreNotContinued(t *testing.T) {
	r := newRig(t)
	s := agenttest.Serve(t, r.file, agenttest.NoValidator(100_000))
	r.fetch(t, s)
	if got := s.Requests(); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("asked for %q", got)
	}
}

func TestAnotherAddressDoesNotContinueTheBytes(t *testing.T) {
	r := newRig(t)
	r.fetcher.Tries = 1
	r.refused(t, agenttest.Serve(t, r.file, agenttest.CutAt(100_000)), "the line broke")
	s := agenttest.Serve(t, r.file)
	r.fetch(t, s)
	if got := s.Requests(); got[0] != "" {
		t.Errorf("asked for %q", got)
	}
}

func TestWrongFileIsRefusedAndNotKept(t *testing.T) {
	r := newRig(t)
	s := agenttest.Serve(t, []byte("another file"))
	if err := r.refused(t, s, "not the expected one"); !errors.Is(err, fetch.ErrDigest) {
		t.Errorf("%v is no ErrDigest", err)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("asked %d times for what was wrong in one piece", n)
	}
	entries, _ := os.ReadDir(r.fetcher.Dir)
	for _, e := range entries {
		if info, _ := e.Info(); info.Size() > 0 {
			t.Errorf("%s keeps %d bytes", e.Name(), info.Size())
		}
	}
}

// Wrong bytes that no whole answer owns are fetched again, but not for ever.
func TestServerThatGarblesEveryRestIsGivenUp(t *testing.T) {
	r := newRig(t)
	r.fetcher.Tries = 3
	var faults []agenttest.Fault
	for range 20 {
		faults = append(faults, agenttest.CutAt(10), agenttest.Garble)
	}
	s := agenttest.Serve(t, r.file[:1000], faults...)
	r.digest, _ = fetch.ParseDigest(agenttest.Digest(r.file[:1000]))
	if _, err := r.fetcher.Fetch(t.Context(), s.URL, r.digest); err == nil || !strings.Contains(err.Error(), "3 tries") {
		t.Error(err)
	}
}

func TestAnswersThatMayPassAreTriedAgainWithLongerPauses(t *testing.T) {
	r := newRig(t)
	s := agenttest.Serve(t, r.file, agenttest.Answer(503), agenttest.Answer(500), agenttest.Answer(429))
	r.fetch(t, s)
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(r.pauses, want) {
		t.Errorf("paused %v", r.pauses)
	}
}

func TestAnswersThatStayAreSaidAtOnce(t *testing.T) {
	for status, words := range map[int]string{404: "check the version", 403: "-from FILE", 410: "no such file", 400: "400"} {
		r := newRig(t)
		s := agenttest.Serve(t, r.file, agenttest.Answer(status))
		r.refused(t, s, words)
		if n := len(s.Requests()); n != 1 {
			t.Errorf("%d: asked %d times", status, n)
		}
	}
}

func TestSilentServerIsLeft(t *testing.T) {
	r := newRig(t)
	r.fetcher.Stall = 300 * time.Millisecond
	stop := make(chan struct{})
	s := agenttest.Serve(t, r.file, agenttest.Silence(70_000, stop))
	t.Cleanup(func() { close(stop) }) // before the server's own clean-up
	r.fetch(t, s)
	if got := s.Requests(); got[1] != "bytes=70000-" {
		t.Errorf("asked for %q", got)
	}
}

func TestInterruptedFetchSaysThatItGoesOn(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	r.fetcher.Progress = func(done, _ int64) {
		if done > 0 {
			cancel(errors.New("interrupted"))
		}
	}
	stop := make(chan struct{})
	s := agenttest.Serve(t, r.file, agenttest.Silence(50_000, stop))
	t.Cleanup(func() { close(stop) })
	_, err := r.fetcher.Fetch(ctx, s.URL, r.digest)
	if err == nil || !strings.Contains(err.Error(), "interrupted; the same command goes on from") {
		t.Fatal(err)
	}
	r.fetcher.Progress = nil
	r.fetch(t, s)
}

func TestNothingIsFetchedWithoutRoomOrBeyondTheLimit(t *testing.T) {
	r := newRig(t)
	full := errors.New("the disk is full")
	r.fetcher.Room = func(n int64) error {
		if n != size {
			t.Errorf("asked for room for %d bytes", n)
		}
		return full
	}
	if err := r.refused(t, agenttest.Serve(t, r.file), "disk is full"); !errors.Is(err, full) {
		t.Error(err)
	}
	r.fetcher.Room, r.fetcher.Limit = nil, size-1
	r.refused(t, agenttest.Serve(t, r.file), "more than the 299999")
}

func TestAddressMustBeOne(t *testing.T) {
	r := newRig(t)
	for _, address := range []string{"", "file:///etc/passwd", "ftp://host/x", "https://", "host/x", "http://%zz"} {
		if _, err := r.fetcher.Fetch(t.Context(), address, r.digest); err == nil {
			t.Errorf("%q was fetched", address)
		}
	}
}

func TestErrorsKeepSecretsOfTheAddress(t *testing.T) {
	r := newRig(t)
	s := agenttest.Serve(t, r.file, agenttest.Answer(404))
	address := strings.Replace(s.URL, "http://", "http://user:hunter2@", 1) + "?sig=hunter3"
	_, err := r.fetcher.Fetch(t.Context(), address, r.digest)
	if err == nil || strings.Contains(err.Error(), "hunter") {
		t.Error(err)
	}
	r.fetcher.Again = func(err error, _ time.Duration) {
		if strings.Contains(err.Error(), "hunter") {
			t.Error(err)
		}
	}
	refusing := strings.Replace(address, s.URL[len("http://"):], "127.0.0.1:1/file", 1)
	_, err = r.fetcher.Fetch(t.Context(), refusing, r.digest)
	if err == nil || strings.Contains(err.Error(), "hunter") || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
	text, _ := os.ReadFile(filepath.Join(r.fetcher.Dir, r.digest.String()+".json"))
	if strings.Contains(string(text), "hunter") {
		t.Errorf("kept %s", text)
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	r := newRig(t)
	r.fetch(t, agenttest.Serve(t, r.file))
	for range 2 { // also when nothing is there
		if err := r.fetcher.Remove(r.digest); err != nil {
			t.Fatal(err)
		}
	}
	if entries, _ := os.ReadDir(r.fetcher.Dir); len(entries) > 0 {
		t.Errorf("left %v", entries)
	}
}

func TestKeptFileIsNeverALink(t *testing.T) {
	r := newRig(t)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(r.fetcher.Dir, r.digest.String()+".part")); err != nil {
		t.Fatal(err)
	}
	r.refused(t, agenttest.Serve(t, r.file), "")
	if got, _ := os.ReadFile(victim); string(got) != "precious" {
		t.Errorf("wrote through a link: %d bytes", len(got))
	}
}

// Release archives stand behind a redirect to a store of blobs.
func TestRangeIsAskedForBehindARedirectToo(t *testing.T) {
	r := newRig(t)
	store := agenttest.Serve(t, r.file, agenttest.CutAt(100_000))
	front := agenttest.Serve(t, nil, agenttest.Redirect(store.URL), agenttest.Redirect(store.URL+"?sig=other"))
	r.fetch(t, front)
	if got := store.Requests(); !slices.Equal(got, []string{"", "bytes=100000-"}) {
		t.Errorf("asked the store for %q", got)
	}
}
