package web_test

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
)

//go:embed testdata/check.js
var checks string

// everyPage is all that an owner sees who is signed in.
var everyPage = []string{
	"/", "/setup", "/setup/wifi", "/setup/wifi/scan", "/setup/wifi/add?ssid=Home", "/setup/pairing", "/setup/agent",
	"/setup/workspaces", "/setup/workspaces/delete?name=adventure", "/setup/serial", "/setup/device",
	"/c64", "/c64/find", "/c64/run?address=192.168.1.70", "/session", "/logs", "/support", "/update", "/erase", "/more", "/nothing",
}

// furnished is a house whose owner has done most things.
func furnished(t *testing.T, changes ...func(*folders.Options)) *house {
	t.Helper()
	h := newHouse(t, changes...)
	for _, name := range []string{"adventure", "sid-player"} {
		if err := os.MkdirAll(filepath.Join(h.folder, name, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	err := h.store.Update(func(s *config.Settings) error {
		s.Pairing.Code = config.NewSecret("K7QPX2ZM")
		s.Provider = "demo"
		s.Wifi = []config.Network{
			{SSID: "Home", PSK: config.NewSecret("a good password"), Region: "DE"},
			{SSID: "A network with a very long nameX"},
		}
		s.Serial.Port = "/dev/ttyUSB0"
		return usePassword(s)
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func signInTab(t *testing.T, ctx context.Context, h *house) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(h.url+"/signin"),
		chromedp.SendKeys(chromedp.CSS("#password"), password+kb.Enter), waitFor("/"))
}

// waitFor waits until the browser is on a page.
func waitFor(path string) step {
	return until(fmt.Sprintf("location.pathname === %q && document.readyState === 'complete'", path))
}

func dark(on bool) step {
	value := "light"
	if on {
		value = "dark"
	}
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: value}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return err
	})
}

// look checks the page that the tab shows, once its style is there.
func look(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	do(t, ctx, until("document.readyState === 'complete'"))
	wrong := ask(t, ctx, chromedp.Evaluate[[]string](checks))
	for i, w := range wrong {
		if i == 20 {
			t.Errorf("%s: and %d more", what, len(wrong)-i)
			break
		}
		t.Errorf("%s: %s", what, w)
	}
}

func TestEveryPageIsReadableInEverySizeAndLight(t *testing.T) {
	h := furnished(t)
	ctx := tab(t, 320, 640)
	signInTab(t, ctx, h)
	for i, path := range everyPage {
		// A page that was loaded once follows the size and the light of its screen.
		do(t, ctx, chromedp.Navigate(h.url+path))
		if h1 := ask(t, ctx, chromedp.Text(chromedp.CSS("h1"))); (h1 == "That did not work") != (path == "/nothing") {
			t.Errorf("%s shows %q", path, h1)
		}
		for j, size := range [][2]int64{{320, 640}, {768, 1024}, {1280, 800}} {
			night := (i+j)%2 == 0
			do(t, ctx, chromedp.EmulateViewport(size[0], size[1]), dark(night))
			look(t, ctx, fmt.Sprintf("%s at %d, dark %v", path, size[0], night))
		}
	}
}

func TestFirstPagesAreReadableInEverySizeAndLight(t *testing.T) {
	h := newHouse(t)
	ctx := tab(t, 320, 640)
	for i, width := range []int64{320, 768, 1280} {
		do(t, ctx, chromedp.EmulateViewport(width, 800), dark(i%2 == 0), chromedp.Navigate(h.url))
		look(t, ctx, fmt.Sprintf("welcome at %d", width))
	}
	if err := h.store.Update(usePassword); err != nil {
		t.Fatal(err)
	}
	for i, width := range []int64{320, 768, 1280} {
		do(t, ctx, chromedp.EmulateViewport(width, 800), dark(i%2 == 1), chromedp.Navigate(h.url))
		look(t, ctx, fmt.Sprintf("sign-in at %d", width))
	}
}

// focusable is what a keyboard must reach.
const focusable = `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
	.filter(e => e.checkVisibility()).length`

// follow notes where the focus goes, and where that cannot be seen.
const follow = `(() => { window.unseen = []; document.addEventListener("focusin", (event) => {
	const e = event.target, s = getComputedStyle(e);
	if (e === document.querySelector("main")) return;
	e.dataset.reached = "yes";
	if (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2) unseen.push(e.outerHTML.slice(0, 80));
}); document.addEventListener("keydown", () => { // by now the page has moved to it
	const e = document.activeElement, r = e.getClientRects()[0];
	if (e === document.body || e.matches("main, .skip") || !r) return;
	const top = document.elementFromPoint(Math.min(r.x + r.width / 2, innerWidth - 1), r.y + Math.min(r.height / 2, innerHeight / 2));
	if (!top || !e.contains(top) && !top.contains(e) && !(e.labels && [...e.labels].some(l => l.contains(top))))
		unseen.push("covered by " + (top ? top.outerHTML.slice(0, 40) : "the edge") + ": " + e.outerHTML.slice(0, 80));
}, true); })()`

func TestEveryControlIsReachedByKeyboard(t *testing.T) {
	h := furnished(t)
	ctx := tab(t, 320, 800)
	signInTab(t, ctx, h)
	for _, width := range []int64{320, 1280} {
		do(t, ctx, chromedp.EmulateViewport(width, 800))
		paths := []string{"/", "/setup/wifi/scan", "/setup/workspaces", "/setup/agent", "/c64/find"}
		if width > 320 && os.Getenv("PROMPT64_LONG") == "" {
			paths = paths[:1] // what changes is the navigation, which is the same on each
		}
		for _, path := range paths {
			reach(t, ctx, h.url+path, fmt.Sprintf("%s at %d", path, width))
		}
	}
}

// reach goes through all controls of a page by keyboard.
func reach(t *testing.T, ctx context.Context, url, what string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(url))
	count := ask(t, ctx, chromedp.Evaluate[int](focusable))
	do(t, ctx, chromedp.Evaluate[chromedp.Void](follow), chromedp.KeyEvent(strings.Repeat(kb.Tab, count+1)))
	for _, one := range ask(t, ctx, chromedp.Evaluate[[]string]("unseen")) {
		t.Errorf("%s: the focus is not seen: %s", what, one)
	}
	reached := ask(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("[data-reached]").length`))
	if reached < count || count == 0 {
		t.Errorf("%s: %d of %d were reached", what, reached, count)
	}
}

// pictures are those of README.md.
var pictures = []struct {
	name, path    string
	width, height int64
	dark          bool
}{
	{"home-320", "/", 320, 640, false}, {"setup-320", "/setup", 320, 640, true}, {"c64-320", "/c64/find", 320, 640, false},
	{"home-768", "/", 768, 800, true}, {"agent-768", "/setup/agent", 768, 800, false},
	{"home-1280", "/", 1280, 900, false}, {"workspaces-1280", "/setup/workspaces", 1280, 800, true},
}

func TestPicturesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Glob("screens/*.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		file := "screens/" + p.name + ".png"
		if !strings.Contains(string(readme), file) || !*regenerate && !slices.Contains(there, file) {
			t.Errorf("%s is not in README.md, or not there: go test ./appliance/web -run Pictures -screens", file)
		}
	}
	if !*regenerate {
		return
	}
	h := furnished(t)
	ctx := tab(t, 320, 640)
	signInTab(t, ctx, h)
	for _, p := range pictures {
		do(t, ctx, chromedp.EmulateViewport(p.width, p.height), dark(p.dark), chromedp.Navigate(h.url+p.path))
		png := ask(t, ctx, chromedp.CaptureScreenshot())
		if err := os.WriteFile("screens/"+p.name+".png", png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
