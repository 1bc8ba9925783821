package image

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/vm"
)

// long plays what takes an hour.
var long = os.Getenv("PROMPT64_LONG") != ""

// patience ends what hangs. A loaded computer takes a minute for what takes ten
// seconds.
const patience = 10 * time.Minute

// settings are those of the test's owner: a VM sees us as its gateway.
const settings = `{"version": 1, "pairing": {"code": "ABCD2345", "allow": ["10.0.2.0/24"]},
 "wifi": [{"ssid": "canary", "psk": "` + canary + `"}]}`

// canary is a secret that must be nowhere but in the settings.
const canary = "tweet-tweet-8064"

// shared is where the images lie that several tests use.
var shared string

func TestMain(m *testing.M) {
	vm.Relay()
	dir, err := os.MkdirTemp("", "image-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// options build for a board, into the shared folder.
func options(board, name string) (build.Options, error) {
	b, err := build.BoardNamed(board)
	return build.Options{
		Project: "..", Board: b, Output: filepath.Join(shared, name), Version: "v0.0.0-test",
		Settings: []byte(settings), Tools: true,
	}, err
}

// image builds one image for a board, for all tests.
func image(t *testing.T, board string) string {
	t.Helper()
	path, err := images[board]()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var images = map[string]func() (string, error){
	"qemu-amd64": once("qemu-amd64"),
	"qemu-arm64": once("qemu-arm64"),
	"rpi":        once("rpi"),
}

func once(board string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		o, err := options(board, board+".img")
		if err != nil {
			return "", err
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		start := time.Now()
		r, err := build.Build(ctx, o)
		if err != nil {
			return "", err
		}
		fmt.Printf("built the image for %s in %.0f s\n", board, time.Since(start).Seconds())
		return r.Image, nil
	})
}

// boot starts an image whose disk forgets what is written to it.
func boot(t *testing.T, c vm.Config) *vm.VM {
	t.Helper()
	if err := vm.Available(c.Machine); err != nil {
		if os.Getenv("CI") != "" || c.Machine == vm.PC {
			t.Fatalf("%v; scripts/setup --tests installs it", err)
		}
		t.Skipf("%v; scripts/setup --vm installs it", err)
	}
	c.Scratch = c.Fault == nil
	v, err := vm.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			console := v.Console()
			t.Logf("the console at the end:\n%s", console[max(0, len(console)-6000):])
		}
	})
	return v
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
