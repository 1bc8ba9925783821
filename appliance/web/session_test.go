package web_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/minutes"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// hostile is what an agent might say to a browser, and Unicode beside.
const hostile = `</div></li><script>alert("x")</script><img src=x onerror=alert(1)> & 'q' "日本" 🐧 Grüße`

func TestSessionPageShowsWhatWasSaidAndRunsNothingOfIt(t *testing.T) {
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	s.Push(provider.TextEvent{Text: hostile})
	s.Push(provider.ActivityEvent{ID: "1", Label: "ls " + hostile})
	s.Push(provider.ApprovalEvent{ID: "a", Kind: frames.KindCommand, Summary: "rm " + hostile,
		Detail: []provider.DetailLine{{Kind: frames.LineAddition, Text: hostile}}})
	comesAbout(t, func() bool { return strings.Contains(r.get("/session/1").body, "may it run a command") })
	body := r.get("/session/1").body
	if n := strings.Count(html.UnescapeString(body), hostile); n < 4 {
		t.Errorf("what was said stands %d times on the page", n)
	}
	for _, bad := range []string{"<script>alert", "<img src=x", "</div></li><script"} {
		if strings.Contains(body, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	if !strings.Contains(body, `class="added"`) || !strings.Contains(body, "/session/1/events?from=") {
		t.Errorf("the page: %s", body)
	}
	if list := r.get("/session").body; !strings.Contains(list, `href="/session/1"`) || !strings.Contains(list, "waits for an answer") {
		t.Errorf("the list: %s", list)
	}
}

func TestStreamIsExactlyWhatTheAgentSaid(t *testing.T) {
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	e := r.follow("/session/1/events", "")
	if kind := e.res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		t.Fatalf("it is %s", kind)
	}
	said := "1 " + hostile + "\r\n\n 2"
	for _, b := range []byte(said) { // runes arrive in halves
		s.Push(provider.TextEvent{Text: string([]byte{b})})
	}
	s.End(provider.EndDone, "")
	var text string
	for {
		var it minutes.Item
		if name := e.next(&it); name != "said" {
			t.Fatalf("event %q", name)
		}
		switch it.Kind {
		case "prompt":
			if it.Text != "hello" || it.Head != "You" {
				t.Errorf("prompt: %+v", it)
			}
		case "text":
			text += it.Text
		}
		if it.Kind == "end" {
			break
		}
	}
	if text != said {
		t.Errorf("streamed %q, said %q", text, said)
	}
}

func TestReconnectGoesOnBehindTheLastEvent(t *testing.T) {
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	e := r.follow("/session/1/events", "")
	var it minutes.Item
	e.next(&it)
	s.Push(provider.TextEvent{Text: "one "})
	e.next(&it)
	if it.Text != "one " {
		t.Fatalf("got %+v", it)
	}
	e.stop()
	s.Push(provider.TextEvent{Text: "two "})
	s.Push(provider.TextEvent{Text: "three"})
	s.End(provider.EndDone, "")
	again := r.follow("/session/1/events?from=old-0", e.last) // the header counts, not the address
	text := ""
	for it.Kind != "end" {
		it = minutes.Item{}
		if name := again.next(&it); name != "said" {
			t.Fatalf("event %q", name)
		}
		if it.Kind == "prompt" {
			t.Error("the prompt came again")
		}
		if it.Kind == "text" {
			text += it.Text
		}
	}
	if text != "two three" {
		t.Errorf("went on with %q", text)
	}
}

func TestPositionOfAFormerStartBeginsAnew(t *testing.T) {
	r, k := liveRig(t)
	k.prompt("hello")
	e := r.follow("/session/1/events", "formerstart-7")
	var yes bool
	if name := e.next(&yes); name != "reset" || !yes {
		t.Fatalf("event %q", name)
	}
	var it minutes.Item
	if e.next(&it); it.Kind != "prompt" {
		t.Errorf("then came %+v", it)
	}
}

func TestStreamTellsTheEndAndABrowserStaysAway(t *testing.T) {
	r, k := liveRig(t)
	a, s := k.prompt("hello")
	s.End(provider.EndDone, "")
	e := r.follow("/session/1/events", "")
	var it minutes.Item
	for it.Kind != "end" {
		e.next(&it)
	}
	if err := a.Request(frames.Frame{Type: frames.TypeSessionRelease}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Next(nil); err != nil {
		t.Fatal(err)
	}
	for { // the C64 takes what is for it
		if _, err := a.Next(nil); err != nil {
			break
		}
	}
	var words string
	if name := e.next(&words); name != "over" || !strings.Contains(words, "ended") {
		t.Errorf("event %q: %q", name, words)
	}
	if _, more := e.try(&words); more {
		t.Error("something follows the end")
	}
	if again := r.follow("/session/1/events", e.last); again.res.StatusCode != http.StatusNoContent {
		t.Errorf("who comes back gets %d", again.res.StatusCode)
	}
	if res := r.get("/session/1"); res.StatusCode != http.StatusNotFound || !strings.Contains(res.body, "no such conversation") {
		t.Errorf("the page: %d", res.StatusCode)
	}
}

func TestMinutesAreHandedOutAsFiles(t *testing.T) {
	r, k := liveRig(t)
	_, s := k.prompt("hello")
	s.Push(provider.TextEvent{Text: hostile})
	s.End(provider.EndDone, "")
	comesAbout(t, func() bool { return strings.Contains(r.get("/session/1/text").body, "--- Done ---") })
	for path, name := range map[string]string{"text": "prompt64-session-1.txt", "markdown": "prompt64-session-1.md"} {
		res := r.get("/session/1/" + path)
		if res.StatusCode != http.StatusOK || !strings.Contains(res.body, hostile) || !strings.Contains(res.body, "hello") {
			t.Errorf("%s: %d: %s", path, res.StatusCode, res.body)
		}
		if d := res.Header.Get("Content-Disposition"); d != `attachment; filename="`+name+`"` {
			t.Errorf("%s: %s", path, d)
		}
		if kind := res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/") || strings.Contains(kind, "html") {
			t.Errorf("%s: %s", path, kind)
		}
	}
}

func TestNobodyReadsAlongWithoutASignIn(t *testing.T) {
	r, k := liveRig(t)
	k.prompt("hello")
	r.cookie = ""
	for _, path := range []string{"/session", "/session/1", "/session/1/events", "/session/1/text", "/session/1/markdown", "/logs", "/logs/events", "/logs/text", "/support"} {
		if res := r.get(path); res.StatusCode != http.StatusSeeOther || strings.Contains(res.body, "hello") {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	if res := r.send(r.form("/support/bundle", nil)); res.StatusCode != http.StatusForbidden {
		t.Errorf("bundle: %d", res.StatusCode)
	}
}

func TestConversationThatIsNoneIsSaidSo(t *testing.T) {
	r, _ := liveRig(t)
	for _, id := range []string{"1", "0", "-1", "x", "99999999999999999999"} {
		for _, path := range []string{"", "/text", "/markdown"} {
			if res := r.get("/session/" + id + path); res.StatusCode != http.StatusNotFound {
				t.Errorf("%s%s: %d", id, path, res.StatusCode)
			}
		}
	}
	if body := r.get("/session").body; !strings.Contains(body, "Nobody talks to the agent") {
		t.Errorf("the list: %s", body)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	r, k := liveRig(t)
	k.prompt("hello")
	for i := range 40 {
		e := r.follow("/session/1/events", "")
		if e.res.StatusCode == http.StatusServiceUnavailable {
			if i < 10 {
				t.Errorf("only %d may watch", i)
			}
			return
		}
		if e.res.StatusCode != http.StatusOK {
			t.Fatal(fmt.Sprint("status ", e.res.StatusCode))
		}
	}
	t.Error("forty may watch")
}
