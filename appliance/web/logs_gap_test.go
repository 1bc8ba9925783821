package web_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/appliance/web"
)

type lineEvent struct{ Time, Kind, Text string }

// written is a log of so many lines, of which the first are no longer kept.
type written struct{ lost, lines uint64 }

func (w *written) Lines(after uint64, _ slog.Level) (lines []support.Line, last, missed uint64) {
	for n := max(after, w.lost) + 1; n <= w.lines; n++ {
		lines = append(lines, support.Line{N: n, Text: fmt.Sprintf("time=now level=INFO line-%d.", n)})
	}
	return lines, w.lines, max(after, w.lost) - after
}

func (w *written) Wait(ctx context.Context, _ uint64) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestLongLogShowsItsEndAndSaysWhatIsLeftOut(t *testing.T) {
	r := ready(t, func(c *web.Config) { c.Logs = &written{lost: 50, lines: 750} })
	res := r.get("/logs")
	r.says(res, http.StatusOK, "250 lines before are not shown", "line-251.", "line-750.")
	if n := strings.Count(res.body, "<time>"); n != 500 || strings.Contains(res.body, "line-250.") {
		t.Errorf("%d lines are shown", n)
	}
	if n := strings.Count(r.get("/logs/text").body, "\n"); n != 700 {
		t.Errorf("the file has %d lines", n)
	}
}

func TestStreamOfALogSaysWhatIsNotKeptAndGoesOnBehindIt(t *testing.T) {
	r := ready(t, func(c *web.Config) { c.Logs = &written{lost: 40, lines: 42} })
	at := r.follow("/logs/events", "")
	var line lineEvent
	for _, want := range []string{"40 lines are missing here: more was written than is kept.", "line-41.", "line-42."} {
		if name := at.next(&line); name != "line" || line.Text != want || (line.Kind == "warn") != strings.Contains(want, "missing") {
			t.Errorf("event %q: %+v", name, line)
		}
		if strings.Contains(want, "missing") {
			if r.follow("/logs/events", at.last).next(&line); line.Text != "line-41." {
				t.Errorf("behind the gap comes %+v", line)
			}
		}
	}
}

func TestLogOfAFormerStartBeginsAnew(t *testing.T) {
	r, log := logRig(t)
	log.Info("kept")
	for _, id := range []string{"formerstart-1", "nonsense", "-", strings.Repeat("9", 500)} {
		e := r.follow("/logs/events?level=nonsense", id)
		var yes bool
		if name := e.next(&yes); name != "reset" || !yes {
			t.Errorf("%s: event %q", id, name)
		}
		var line lineEvent
		if name := e.next(&line); name != "line" || line.Text != "msg=kept" {
			t.Errorf("%s: event %q: %+v", id, name, line)
		}
	}
}
