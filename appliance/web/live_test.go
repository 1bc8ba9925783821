package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prompt64/prompt64/appliance/provider"
)

// isLive says that a page follows.
const isLive = `document.querySelector("#live")?.textContent.startsWith("Live")`

// opened opens a page of a rig in a tab, as whoever knows the password, and follows it.
func (r *rig) opened(ctx context.Context, path string) {
	r.t.Helper()
	r.openedAt(ctx, r.site.Handler(), path)
	do(r.t, ctx, until(isLive))
}

// openedAt opens a page of a handler.
func (r *rig) openedAt(ctx context.Context, site http.Handler, path string) {
	r.t.Helper()
	server := httptest.NewServer(site)
	r.t.Cleanup(func() {
		do(r.t, ctx, chromedp.Navigate("about:blank"))
		server.CloseClientConnections()
		server.Close()
	})
	do(r.t, ctx,
		chromedp.Navigate(server.URL+"/signin"),
		chromedp.SendKeys(chromedp.CSS("#password"), password+kb.Enter),
		until(`location.pathname === "/"`),
		chromedp.Navigate(server.URL+path),
		until(`document.readyState === "complete"`),
	)
}

func TestWhatIsSaidShowsUpByItselfAndRunsNothing(t *testing.T) {
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	ctx := tab(t, 320, 800)
	r.opened(ctx, "/session/1")
	for _, b := range []byte(hostile + "\n") {
		s.Push(provider.TextEvent{Text: string([]byte{b})})
	}
	s.Push(provider.ActivityEvent{ID: "1", Label: "ls " + hostile})
	s.End(provider.EndDone, "")
	words, err := json.Marshal(hostile + "\n")
	if err != nil {
		t.Fatal(err)
	}
	do(t, ctx,
		until(`document.querySelector(".said .end") !== null`),
		until(`document.querySelector(".said .text .words").textContent === `+string(words)),
		until(`document.querySelectorAll(".said .text").length === 1 && document.querySelector(".said script, .said img") === null`),
		until(`document.documentElement.scrollWidth <= innerWidth`),
	)
}

func TestLogShowsUpByItself(t *testing.T) {
	r, log := logRig(t)
	ctx := tab(t, 320, 800)
	r.opened(ctx, "/logs?level=warn")
	log.Info("not this")
	log.Warn("a very long line of trouble without any space in it " + strings.Repeat("x", 300))
	do(t, ctx,
		until(`document.querySelectorAll(".log li").length === 1 && document.querySelector(".log .warn").textContent.includes("a very long line")`),
		until(`document.documentElement.scrollWidth <= innerWidth`),
	)
}
