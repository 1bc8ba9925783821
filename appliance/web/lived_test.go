package web_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/update"
)

var album = flag.String("album", "", "save pictures of the pages of a lived-in device in this `DIR`")

// sizes are those of a phone, a tablet and a desktop.
var sizes = [][2]int64{{320, 640}, {768, 1024}, {1280, 800}}

// photograph looks at the page that a tab shows, and puts it into the album.
func photograph(t *testing.T, ctx context.Context, size [2]int64, night bool, name string) {
	t.Helper()
	do(t, ctx, chromedp.EmulateViewport(size[0], size[1]), dark(night), chromedp.Evaluate[chromedp.Void]("scrollTo(0, 0)"))
	look(t, ctx, fmt.Sprintf("%s at %d", name, size[0]))
	if *album == "" {
		return
	}
	for _, end := range []string{"", "-end"} {
		png := ask(t, ctx, chromedp.CaptureScreenshot())
		if err := os.WriteFile(filepath.Join(*album, fmt.Sprintf("%s-%d%s.png", name, size[0], end)), png, 0o644); err != nil {
			t.Fatal(err)
		}
		do(t, ctx, chromedp.Evaluate[chromedp.Void]("scrollTo(0, document.documentElement.scrollHeight)"))
	}
}

// plenty is what a device that has been lived in shows, page by page.
var plenty = []struct{ name, path, says string }{
	{"session", "/session/1", "now the sound"},
	{"sessions", "/session", "Make the sprites"},
	{"logs", "/logs", "200 lines before are not shown"},
	{"workspaces", "/setup/workspaces", "19-donau"},
	{"delete", "/setup/workspaces/delete?name=03-" + unbroken[:57], "Delete 03-donau"},
	{"ultimates", "/c64/find", "Its firmware is too old"},
	{"networks", "/setup/wifi/scan", "<script>"},
	{"setup", "/setup", "Set-up"},
	{"good", "/", "27 GB are free"},
}

func TestPagesOfALivedInDeviceAreReadableAtEveryWidth(t *testing.T) {
	l := live(t)
	ctx := tab(t, 320, 640)
	signInTab(t, ctx, &house{url: l.url})
	for i, page := range plenty {
		do(t, ctx, chromedp.Navigate(l.url+page.path))
		if text := ask(t, ctx, chromedp.Evaluate[string]("document.body.innerText")); !strings.Contains(text, page.says) {
			t.Errorf("%s does not say %q: %.200s", page.path, page.says, text)
		}
		for j, size := range sizes {
			photograph(t, ctx, size, (i+j)%2 == 0, page.name)
		}
	}
	l.tree.Store(wholeTree(health.Fail))
	do(t, ctx, chromedp.Navigate(l.url))
	for i, size := range sizes {
		photograph(t, ctx, size, i%2 == 0, "bad")
	}
}

// long words of an update.
const newer, waiting = "v2.0.0-rc.1+20261201.a1b2c3d4e5f6a7b8c9d0", "a turn of ADA'S C64 IN THE ROOM UNDER THE ROOF"

// phases are a device in each state that an update has.
var phases = map[string]update.State{
	"idle":     {Phase: update.Idle},
	"verify":   {Phase: update.Verify, Done: 1, Total: 100},
	"write":    {Phase: update.Write, To: newer, Done: 63, Total: 100},
	"readback": {Phase: update.ReadBack, To: newer, Done: 99, Total: 100},
	"armed":    {Phase: update.Armed, To: newer, Waits: waiting},
	"trial":    {Phase: update.Trial, To: newer, Trouble: "the clock is not set yet, and " + unbroken},
	"commit":   {Phase: update.Committed, To: newer, Waits: waiting},
	"settled":  {Phase: update.Settled, Former: newer, Last: &update.Result{Outcome: update.Installed, Version: newer, At: time.Unix(1.8e9, 0)}},
	"rolled": {Phase: update.RolledBack, Trouble: "the root partition 3 cannot be read", Former: newer,
		Last: &update.Result{Outcome: update.WentBack, Version: newer, Reason: "it did not answer within five minutes: " + unbroken, At: time.Unix(1.8e9, 0)}},
}

func TestEachStateOfAnUpdateIsReadable(t *testing.T) {
	l := live(t)
	ctx := tab(t, 320, 640)
	signInTab(t, ctx, &house{url: l.url})
	for name, state := range phases {
		state.Ready, state.Running = true, "v1.2.3-dirty+"+unbroken[:30]
		l.now.Store(&state)
		do(t, ctx, chromedp.Navigate(l.url+"/update"))
		if under := ask(t, ctx, chromedp.Evaluate[bool](`document.querySelector("[type=file]") === null`)); under != state.Phase.Under() {
			t.Errorf("%s: under way is %v", name, under)
		}
		for i, size := range sizes {
			photograph(t, ctx, size, i%2 == 0, "update-"+name)
		}
	}
}

func TestControlsOfALivedInDeviceAreReachedByKeyboard(t *testing.T) {
	l := live(t)
	l.tree.Store(wholeTree(health.Fail))
	ctx := tab(t, 320, 640)
	signInTab(t, ctx, &house{url: l.url})
	for _, path := range []string{"/", "/setup/workspaces", "/setup/wifi/scan", "/c64/find", "/logs", "/session/1"} {
		for _, size := range journeysOf(path) {
			do(t, ctx, chromedp.EmulateViewport(size[0], size[1]))
			reach(t, ctx, l.url+path, fmt.Sprintf("%s at %d", path, size[0]))
		}
	}
}

// journeysOf are the widths at which a page's controls are gone through: those of a
// long session, of which each takes a key, at each width in the long tests only.
func journeysOf(path string) [][2]int64 {
	if path == "/session/1" && os.Getenv("PROMPT64_LONG") == "" {
		return sizes[:1]
	}
	return sizes
}
