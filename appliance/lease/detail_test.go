package lease

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestApprovalDetailIsShownForThePendingRequestOnly(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Push(provider.ApprovalEvent{ID: "a", Kind: frames.KindFile, Summary: "write main.go", Detail: []provider.DetailLine{
			{Kind: frames.LineMetadata, Text: "main.go"},
			{Kind: frames.LineAddition, Text: strings.Repeat("long ", 40)},
			{Kind: frames.LineDeletion, Text: ""},
		}})
		req := single[frames.ApprovalRequest](t, c.take())
		c.send(frames.ApprovalDetailGet{Request: req.Seq})
		got := c.take()
		text := ""
		for _, l := range only[frames.ApprovalDetailLine](got) {
			if l.Request != req.Seq {
				t.Errorf("line of %d", l.Request)
			}
			if l.Start {
				text += fmt.Sprint("\n", uint8(l.Kind), " ")
			}
			text += string(l.Text)
		}
		if want := "\n3 main.go\n1 " + strings.Repeat("long ", 40) + "\n2 "; text != want {
			t.Errorf("detail %q", text)
		}
		if d := single[frames.ApprovalDetailDone](t, got); d.Lines != 3 || d.Request != req.Seq {
			t.Errorf("done %+v", d)
		}
		c.send(frames.ApprovalDecision{Decision: frames.Decline})
		c.take()
		c.send(frames.ApprovalDetailGet{Request: req.Seq})
		c.refused("APPROVAL GONE")
	})
}

func TestDetailThatIsCutSaysSoBeforeItCanBeAccepted(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		var detail []provider.DetailLine
		for range 500 {
			detail = append(detail, provider.DetailLine{Kind: frames.LineAddition, Text: strings.Repeat("x", 50)})
		}
		r.session(1).Push(provider.ApprovalEvent{ID: "a", Summary: strings.Repeat("s", 200), Detail: detail})
		req := single[frames.ApprovalRequest](t, c.take())
		if len(req.Summary) != frames.MaxSummary || !strings.HasSuffix(string(req.Summary), wordsDetailCut) {
			t.Errorf("summary %q", req.Summary)
		}
		c.send(frames.ApprovalDetailGet{Request: req.Seq})
		lines := only[frames.ApprovalDetailLine](c.take())
		size := 0
		for _, l := range lines[:len(lines)-1] {
			size += len(l.Text)
		}
		last := lines[len(lines)-1]
		if size != frames.MaxDetail || last.Kind != frames.LineMetadata || string(last.Text) != "... 255 MORE LINES" {
			t.Errorf("%d bytes, then %q", size, last.Text)
		}
	})
}

func TestDetailIsCalledCutExactlyWhenItIs(t *testing.T) {
	line := func(s string, n int) (out []provider.DetailLine) {
		for range n {
			out = append(out, provider.DetailLine{Text: s})
		}
		return out
	}
	for name, tc := range map[string]struct {
		lines []provider.DetailLine
		cut   bool
	}{
		"to the byte":           {line(strings.Repeat("x", 64), 192), false},
		"a byte more":           {append(line(strings.Repeat("x", 64), 192), line("", 1)...), true},
		"tabs are four":         {line("\t"+strings.Repeat("x", 56), 220), true},
		"accents are one":       {line(strings.Repeat("\u00e9", 64), 192), false},
		"one line, to the byte": {line(strings.Repeat("x", 12288), 1), false},
		"one line, a byte more": {line(strings.Repeat("x", 12289), 1), true},
	} {
		bubble(t, func(r *rig) {
			c := r.dial()
			c.prompt("go")
			r.session(1).Push(provider.ApprovalEvent{ID: "a", Summary: "s", Detail: tc.lines})
			req := single[frames.ApprovalRequest](t, c.take())
			said := strings.HasSuffix(string(req.Summary), wordsDetailCut)
			c.send(frames.ApprovalDetailGet{Request: req.Seq})
			cut := false
			for _, l := range only[frames.ApprovalDetailLine](c.take()) {
				cut = cut || strings.HasSuffix(string(l.Text), "MORE LINES")
			}
			if said != tc.cut || cut != tc.cut {
				t.Errorf("%s: said %v, is cut %v, want %v", name, said, cut, tc.cut)
			}
		})
	}
}
