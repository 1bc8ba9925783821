package lease

import (
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestTextThatComesAgainIsNotShownTwice(t *testing.T) {
	dropped := provider.RetryEvent{Reason: "line cut", Dropped: true}
	text := func(s string) provider.Event { return provider.TextEvent{Text: s} }
	for name, tc := range map[string]struct {
		events []provider.Event
		want   string
	}{
		"the same": {
			[]provider.Event{text("one two"), dropped, text("one "), text("two three")},
			"one two three"},
		"the same, cut twice": {
			[]provider.Event{text("one two"), dropped, text("one"), dropped, text("one two three")},
			"one two three"},
		"another": {
			[]provider.Event{text("one two"), dropped, text("one "), text("fine day")},
			"one two" + wordsAgain + "one fine day"},
		"shorter": {
			[]provider.Event{text("one two"), dropped, text("one")},
			"one two" + wordsAgain + "one"},
		"nothing": {
			[]provider.Event{text("one two"), dropped},
			"one two"},
		"not dropped": {
			[]provider.Event{text("one "), provider.RetryEvent{Reason: "busy"}, text("two")},
			"one two"},
		"only since the activity": {
			[]provider.Event{text("one "), provider.ActivityEvent{ID: "1", Label: "ls"}, text("two "), dropped, text("two three")},
			"one two three"},
		"a rune cut in two": {
			[]provider.Event{text("gr\xc3"), dropped, text("gr\xc3\xbc\xc3\x9fe")},
			"grusse"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.dial()
				c.prompt("go")
				s := r.session(1)
				for _, ev := range tc.events {
					s.Push(ev)
					time.Sleep(100 * time.Millisecond)
				}
				end(s)
				if p := prose(c.take()); p != tc.want {
					t.Errorf("shown %q, want %q", p, tc.want)
				}
			})
		})
	}
}

func TestRetryIsToldWithItsReason(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		r.session(1).Push(provider.RetryEvent{Reason: "stream cut, 2 of 5"})
		a := single[frames.ActivityEvent](t, c.take())
		if string(a.Label) != "Trying again: stream cut, 2 of 5" {
			t.Errorf("told %q", a.Label)
		}
	})
}
