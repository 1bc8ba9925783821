package web_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/prompt64/prompt64/appliance/leaks"
)

// patience ends a test that hangs, and none on a slow machine.
const patience = 3 * time.Minute

// noBrowser is the variable that lets these tests be left out, where somebody
// cannot have a browser. Without it a missing one is a failure.
const noBrowser = "PROMPT64_NO_BROWSER"

var regenerate = flag.Bool("screens", false, "write the pictures in screens anew")

// browser is the one Chromium of all tests here.
var browser struct {
	once  sync.Once
	ctx   context.Context
	close func()
	err   error
}

func TestMain(m *testing.M) {
	flag.Parse()
	// A browser's profile and the settings of every house are not worth a disk's syncs.
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", "/dev/shm")
	}
	code := m.Run()
	if browser.close != nil {
		browser.close()
	}
	if code == 0 {
		if err := leaks.Find(); err != nil {
			println(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}

func startBrowser() {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	profile, err := os.MkdirTemp("", "prompt64-browser-")
	if err != nil {
		browser.err = err
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(alloc)
	browser.ctx = ctx
	browser.close = func() {
		_ = chromedp.Cancel(ctx) // waits for its end
		stop()
		stopAlloc()
		_ = os.RemoveAll(profile)
	}
	if program == "" {
		browser.err = exec.ErrNotFound
		return
	}
	browser.err = chromedp.Do(ctx)
}

// step is something that a browser does.
type step = chromedp.Action[chromedp.Void]

// tab opens a tab of its own, with cookies of its own, as wide as a device.
func tab(t *testing.T, width, height int64) context.Context {
	t.Helper()
	if os.Getenv(noBrowser) != "" {
		t.Skip("NOT TESTED: " + noBrowser + " is set, so the pages were not opened in a browser")
	}
	browser.once.Do(startBrowser)
	if browser.err != nil {
		t.Fatalf("the pages cannot be opened in Chromium (%v): run scripts/setup --tests, or set %s=1 to go without", browser.err, noBrowser)
	}
	own, stop := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	if err := chromedp.Do(own); err != nil { // makes the tab, for longer than a deadline
		t.Fatal(err)
	}
	ctx, stopTime := context.WithTimeout(own, patience)
	t.Cleanup(stopTime)
	do(t, ctx, chromedp.EmulateViewport(width, height))
	return ctx
}

// do runs steps in a tab.
func do(t *testing.T, ctx context.Context, steps ...step) {
	t.Helper()
	for i, one := range steps {
		if err := chromedp.Do(ctx, one); err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
	}
}

// ask runs an action that has a result.
func ask[T any](t *testing.T, ctx context.Context, action chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// until waits for an expression, also while one page takes another's place.
func until(expression string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for {
			if is, err := chromedp.Evaluate[bool](expression)(ctx, target); err == nil && is {
				return nil
			}
			select {
			case <-ctx.Done():
				text, _ := chromedp.Evaluate[string]("location + ': ' + document.body.innerText")(context.WithoutCancel(ctx), target)
				return fmt.Errorf("never: %s; the browser is at %s", expression, text)
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
}
