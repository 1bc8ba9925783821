package push

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"aead.dev/minisign"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/updatetest"
	"github.com/prompt64/prompt64/appliance/web"
)

func TestMain(m *testing.M) { leaks.Main(m) }

const password = "correct horse"

// device is a pretended device with real pages and a real updater, reached through
// pipes. It starts again when it wants to.
type device struct {
	t        *testing.T
	d        *updatetest.Device
	settings *config.Store
	keys     []bundle.Key
	private  minisign.PrivateKey
	busy     atomic.Bool

	mu   sync.Mutex
	pipe *pipes // nil: it is off
}

func newDevice(t *testing.T) *device {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	dev := &device{
		t: t, d: updatetest.New(updatetest.NewRoot("v1.0.0", 1<<16)), private: private,
		keys:     []bundle.Key{{Name: "maker", Public: public}},
		settings: config.Open(config.Options{Dir: t.TempDir()}),
	}
	return dev
}

// run powers the device on until ctx is done.
func (dev *device) run(ctx context.Context) {
	for ctx.Err() == nil {
		if !dev.d.Start() {
			dev.t.Error("the device does not start any more")
			return
		}
		dev.once(ctx)
		time.Sleep(20 * time.Second) // a start takes its time
	}
}

func (dev *device) once(ctx context.Context) {
	ctx, off := context.WithCancel(ctx)
	u := update.New(update.Config{
		System: dev.d,
		Keys:   func() ([]bundle.Key, error) { return dev.keys, nil },
		Health: func(context.Context) error {
			if dev.d.Trait("sick") {
				return errors.New("the bridge does not answer")
			}
			return nil
		},
		Busy: func() string {
			if dev.busy.Load() {
				return "the turn of a C64 to end"
			}
			return ""
		},
	})
	site := web.New(web.Config{
		Settings: dev.settings, Updates: u,
		State:   func() web.State { return web.State{} },
		Program: func(web.Program) ([]byte, error) { return nil, nil },
	})
	l := newPipes()
	server := &http.Server{Handler: site.Handler()}
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(l) })
	running.Go(func() {
		time.Sleep(15 * time.Second) // the pages are there long before a slow card was looked at
		_ = u.Serve(ctx)
	})
	dev.reach(l)
	select {
	case <-dev.d.Restarts():
	case <-time.After(update.TrialTime): // guard
		if !dev.d.InTrial() {
			select {
			case <-dev.d.Restarts():
			case <-ctx.Done():
			}
		}
	case <-ctx.Done():
	}
	dev.reach(nil)
	dev.d.Pull()
	off()
	_ = server.Close()
	running.Wait()
	site.Close()
}

func (dev *device) reach(l *pipes) {
	dev.mu.Lock()
	defer dev.mu.Unlock()
	dev.pipe = l
}

func (dev *device) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	dev.mu.Lock()
	l := dev.pipe
	dev.mu.Unlock()
	if l == nil {
		return nil, errors.New("no route to host")
	}
	return l.dial(ctx)
}

// pipes is a listener in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (l *pipes) dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.done:
	case <-ctx.Done():
	}
	_, _ = here.Close(), there.Close()
	return nil, errors.New("connection refused")
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// bundleOf writes a bundle to a file.
func (dev *device) bundleOf(version string, key minisign.PrivateKey, traits ...string) string {
	dev.t.Helper()
	about := dev.d.About
	var out bytes.Buffer
	err := bundle.Write(&out, bundle.Manifest{
		Version: version, Minimum: "v0.1.0", Board: about.Board, Arch: about.Arch,
		Kernel: bundle.Kernel{Release: about.Release, SHA256: about.Kernel}, Guard: about.Guard,
	}, bytes.NewReader(updatetest.NewRoot(version, 1<<16, traits...)), key)
	if err != nil {
		dev.t.Fatal(err)
	}
	path := filepath.Join(dev.t.TempDir(), version+".p64u")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		dev.t.Fatal(err)
	}
	return path
}

// pushing runs a test with a device that was set up and is on.
func pushing(t *testing.T, test func(t *testing.T, dev *device, o Options, notes *[]string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		dev := newDevice(t)
		if err := dev.settings.Update(func(s *config.Settings) error { return s.SetPassword(password) }); err != nil {
			t.Fatal(err)
		}
		ctx, off := context.WithCancel(context.Background())
		over := make(chan struct{})
		go func() { defer close(over); dev.run(ctx) }()
		time.Sleep(5 * time.Second)
		var notes []string
		test(t, dev, Options{Host: "192.168.1.64", Password: password, dial: dev.dial, Note: func(s string) { notes = append(notes, s) }}, &notes)
		off()
		<-over
	})
}

func TestPushEndsWhenTheNewVersionRuns(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, notes *[]string) {
		o.Bundle = dev.bundleOf("v1.1.0", dev.private)
		var sent int64
		o.Progress = func(done, _ int64) { sent = done }
		if err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		info, _ := os.Stat(o.Bundle)
		if dev.d.Version() != "v1.1.0" || dev.d.InTrial() || sent != info.Size() {
			t.Errorf("%s runs, %d bytes were sent", dev.d.Version(), sent)
		}
		all := strings.Join(*notes, "; ")
		for _, want := range []string{"the device runs v1.0.0", "the device starts again", "trial v1.1.0", "v1.1.0 runs"} {
			if !strings.Contains(all, want) {
				t.Errorf("it never said %q: %s", want, all)
			}
		}
	})
}

func tooLate() (net.Conn, error) {
	time.Sleep(2 * answerTime)
	return nil, errors.New("no route to host")
}

// A device that has just started, and has other things to do, takes its time.
func TestPushIsPatientWithASlowDevice(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, _ *[]string) {
		o.Bundle = dev.bundleOf("v1.1.0", dev.private)
		var slow atomic.Int32
		o.dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if slow.Add(1) <= 2 {
				return tooLate()
			}
			return dev.dial(ctx, network, addr)
		}
		if err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		o.dial = func(context.Context, string, string) (net.Conn, error) { return tooLate() }
		if err := Run(t.Context(), o); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > readyTime+answerTime {
			t.Errorf("one that never answers: %v after %v", err, time.Since(began))
		}
		time.Sleep(2 * answerTime) // for the last call to end
	})
}

func TestPushSaysWhyTheOldVersionIsBack(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, _ *[]string) {
		o.Bundle = dev.bundleOf("v1.1.0", dev.private, "sick")
		err := Run(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "v1.1.0 was rolled back: the bridge does not answer") || dev.d.Version() != "v1.0.0" {
			t.Errorf("Run: %v, %s runs", err, dev.d.Version())
		}
	})
}

func TestPushSaysWhatTheDeviceRefuses(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, _ *[]string) {
		_, stranger, err := minisign.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		for want, path := range map[string]string{
			"a key that this device does not know": dev.bundleOf("v1.1.0", stranger),
			"older than what runs":                 dev.bundleOf("v0.9.0", dev.private),
			"no such file":                         filepath.Join(t.TempDir(), "missing"),
		} {
			o.Bundle = path
			if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: Run: %v", want, err)
			}
		}
		o.Bundle, o.Consent = dev.bundleOf("v0.9.1", dev.private), update.Consent{Older: true}
		if err := Run(t.Context(), o); err != nil {
			t.Errorf("older, and allowed: %v", err)
		}
	})
}

func TestPushNeedsThePassword(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, _ *[]string) {
		o.Bundle, o.Password = dev.bundleOf("v1.1.0", dev.private), "guessed"
		if err := Run(t.Context(), o); !errors.Is(err, ErrPassword) {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestPushWaitsForATurnUnlessItMustNot(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, notes *[]string) {
		dev.busy.Store(true)
		o.Bundle = dev.bundleOf("v1.1.0", dev.private)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		if err := Run(ctx, o); !errors.Is(err, context.DeadlineExceeded) || dev.d.Version() != "v1.0.0" {
			t.Fatalf("Run: %v, %s runs", err, dev.d.Version())
		}
		if all := strings.Join(*notes, "; "); !strings.Contains(all, "waits for the turn of a C64 to end") {
			t.Errorf("it said %s", all)
		}
		o.Now = true
		p, err := open(o.Host, o.Password, o.dial)
		if err != nil {
			t.Fatal(err)
		}
		w := watch{Options: o, pages: p, seen: time.Now()}
		if err := w.run(t.Context()); err != nil || dev.d.Version() != "v1.1.0" {
			t.Errorf("in a hurry: %v, %s runs", err, dev.d.Version())
		}
	})
}

func TestWhatIsNoHostIsTold(t *testing.T) {
	for _, host := range []string{"", "http://", "a b", "://"} {
		if err := Run(t.Context(), Options{Host: host}); err == nil {
			t.Errorf("%q was taken for a host", host)
		}
	}
}
