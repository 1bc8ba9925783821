package framestest

import (
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func TestSequencesWrapWithoutAGapAlsoAcrossACut(t *testing.T) {
	const all, at = 70000, 65535
	deltas := func(w *wire, from, to int) {
		var b []byte
		for i := from; i <= to; i++ {
			m := frames.AssistantDelta{Seq: uint16(i)}
			if i%1000 == 0 {
				m.Text = text(".")
			}
			b = m.AppendTo(b)
		}
		if _, err := w.conn.Write(b); err != nil {
			t.Error(err)
		}
	}
	c, p, _ := start(t, Config{Retry: auto}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
		deltas(w, 1, at)
	}, func(w *wire) {
		w.hello()
		w.expect(frames.Reconnect{Token: token, Applied: at})
		w.send(frames.ReconnectState{Token: token, Active: true, Latest: 0})
		deltas(w, at+1, at+1)
		w.send(frames.ReconnectDone{})
		deltas(w, at+2, all)
		w.send(frames.TurnDone{Seq: uint16(all + 1 - 65536)})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	if e, err := c.WaitEnd(testContext(t)); err != nil || e.Kind != Done {
		t.Error(e, err)
	}
	if got := len(c.Transcript().Text(Assistant)); got != all/1000 {
		t.Errorf("%d of %d pieces", got, all/1000)
	}
	noViolations(t, c)
	c.Close()
	p.finished(2)
}
