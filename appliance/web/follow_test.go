package web_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// transcript is what a reader sees of a conversation, item by item.
const transcript = `[...document.querySelectorAll(".said > li")].map(li => [...li.classList].sort() + ": " +
	[...li.querySelectorAll(".who, .words, .detail > div")].map(e => e.className + "=" + e.textContent).join("|") +
	(li.querySelector(".detail")?.tabIndex ?? "")).join("\n")`

// stages are things that an agent does, with what a page shows then.
var stages = []struct {
	push []provider.Event
	see  string
}{
	{[]provider.Event{provider.ActivityEvent{ID: "1", Label: "make game"}, provider.ActivityEvent{ID: "2", Label: "tool"}}, "open: who=Under way|words=tool"},
	{[]provider.Event{provider.TextEvent{Text: "\n\nIt is "}, provider.ActivityEvent{ID: "1", Lifecycle: frames.ActivityCompleted, Label: "make game"}},
		"activity,done: who=Done|words=make game"},
	{[]provider.Event{provider.TextEvent{Text: "being made.\n"}, provider.ActivityEvent{ID: "3", Label: "run game"}}, "being made."},
	{[]provider.Event{provider.ActivityEvent{ID: "2", Lifecycle: frames.ActivityFailed, Label: "read a"}}, "activity,failed: who=Failed|words=read a"},
	{[]provider.Event{provider.ApprovalEvent{ID: "a", Kind: frames.KindFile, Summary: "write x", Detail: []provider.DetailLine{{Text: "x"}, {Kind: frames.LineAddition, Text: "new"}}}}, "added=+ new"},
	{[]provider.Event{provider.EndEvent{End: provider.EndFailed, Reason: "no power"}}, "failed: who=Failed|words=run game"},
}

func TestActivityIsOneEntryWithItsOutcomeLiveAsAfterAReload(t *testing.T) {
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	ctx := tab(t, 320, 800)
	r.opened(ctx, "/session/1")
	for _, stage := range stages {
		for _, e := range stage.push {
			s.Push(e)
		}
		do(t, ctx, until(fmt.Sprintf("(%s).includes(%q)", transcript, stage.see)))
	}
	do(t, ctx, until(`document.querySelector(".said .end") !== null`))
	live := ask(t, ctx, chromedp.Evaluate[string](transcript))
	for _, label := range []string{"make game", "read a", "run game"} {
		if n := strings.Count(live, label); n != 1 {
			t.Errorf("%s stands there %d times", label, n)
		}
	}
	do(t, ctx, chromedp.Reload(), until(isLive))
	if again := ask(t, ctx, chromedp.Evaluate[string](transcript)); again != live {
		t.Errorf("live it was\n%s\nand after a reload it is\n%s", live, again)
	}
}

// long makes a conversation of many screens, and shows it.
func long(t *testing.T, ctx context.Context) *providertest.FakeSession {
	t.Helper()
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	s.Push(provider.TextEvent{Text: strings.Repeat("A line of a long answer.\n", 300)})
	comesAbout(t, func() bool { return strings.Count(r.get("/session/1").body, "long answer") == 300 })
	r.opened(ctx, "/session/1")
	return s
}

// bottom is how far it is to the end of the page.
const bottom = `document.documentElement.scrollHeight - scrollY - innerHeight`

func TestReaderAtTheEndIsTakenAlongAndReaderAboveIsLeftThere(t *testing.T) {
	ctx := tab(t, 320, 640)
	s := long(t, ctx)
	const place = 1000
	do(t, ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("scrollTo(0, %d)", place)))
	s.Push(provider.TextEvent{Text: strings.Repeat("More of it.\n", 100)})
	do(t, ctx, until(`document.querySelector(".said").textContent.split("More of it").length === 101`))
	if at := ask(t, ctx, chromedp.Evaluate[float64]("scrollY")); at != place {
		t.Errorf("who read at %d is at %.0f", place, at)
	}
	do(t, ctx, chromedp.Evaluate[chromedp.Void]("scrollTo(0, document.documentElement.scrollHeight)"), until(bottom+" < 2"))
	for i := range 3 {
		s.Push(provider.TextEvent{Text: strings.Repeat(fmt.Sprintf("Piece %d.\n", i), 100)})
		do(t, ctx, until(fmt.Sprintf(`document.querySelector(".said").textContent.includes("Piece %d.") && %s < 2`, i, bottom)))
	}
}

func TestNewestOfALongSessionIsReachedByKeyboardAndWithoutScript(t *testing.T) {
	for _, script := range []bool{true, false} {
		ctx := tab(t, 320, 640)
		long(t, ctx)
		do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !script})
			return err
		}), chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS(`.jump a`)))
		for range 30 {
			if ask(t, ctx, chromedp.Evaluate[bool](`document.activeElement?.hash === "#newest"`)) {
				break
			}
			do(t, ctx, chromedp.KeyEvent(kb.Tab))
		}
		do(t, ctx, chromedp.KeyEvent(kb.Enter), until(bottom+" < 2"), until(`document.activeElement.id === "newest"`),
			chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter), until("scrollY < 200"))
	}
}

func TestPageIsReadAgainAfterANewStartAndItsReaderStaysInPlace(t *testing.T) {
	ctx := tab(t, 320, 640)
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	s.Push(provider.TextEvent{Text: strings.Repeat("A line of a long answer.\n", 300)})
	comesAbout(t, func() bool { return strings.Count(r.get("/session/1").body, "long answer") == 300 })
	var loads atomic.Int32
	scrolled := make(chan struct{})
	site := r.site.Handler()
	r.openedAt(ctx, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch { // the first page is of a former start
		case req.URL.Path == "/session/1" && loads.Add(1) == 1:
			page := httptest.NewRecorder()
			site.ServeHTTP(page, req)
			maps.Copy(w.Header(), page.Header())
			w.Header().Del("Content-Length")
			_, _ = w.Write(regexp.MustCompile(`from=[^"]+`).ReplaceAll(page.Body.Bytes(), []byte("from=former-7")))
		case strings.Contains(req.URL.RawQuery, "former"):
			<-scrolled
			fallthrough
		default:
			site.ServeHTTP(w, req)
		}
	}), "/session/1")
	do(t, ctx, chromedp.Evaluate[chromedp.Void]("scrollTo(0, 1000)"), until("scrollY === 1000"))
	close(scrolled)
	comesAbout(t, func() bool { return loads.Load() == 2 })
	do(t, ctx, until(isLive), until("scrollY === 1000"), until(`document.querySelector(".said").textContent.split("long answer").length === 301`))
	if n := loads.Load(); n != 2 {
		t.Errorf("the page was read %d times", n)
	}
}

func TestNothingGoesAwayBeforeAReaderAndOldLinesDoAtTheEnd(t *testing.T) {
	r, log := logRig(t)
	ctx := tab(t, 320, 640)
	for range 500 {
		log.Info("before")
	}
	r.opened(ctx, "/logs")
	for range 1600 {
		log.Info("after")
	}
	for i := range 5 {
		do(t, ctx, until(fmt.Sprintf(`document.querySelectorAll(".log li").length === %d`, 2100+i)))
		log.Info("later")
	}
	do(t, ctx, until(`document.querySelectorAll(".log li").length === 2105`), until("scrollY === 0"),
		chromedp.Evaluate[chromedp.Void]("scrollTo(0, document.documentElement.scrollHeight)"), until(bottom+" < 2"))
	log.Info("one more")
	do(t, ctx, until(`document.querySelectorAll(".log li").length === 2000 && document.querySelector(".log").lastElementChild.textContent.includes("one more")`))
}
