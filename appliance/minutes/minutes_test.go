package minutes

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// conversation has one of everything.
var conversation = []lease.Said{
	{Next: 5, Kind: lease.SaidMissed},
	{Next: 6, Kind: lease.SaidPlace, Text: "workspace game"},
	{Next: 7, Kind: lease.SaidPrompt, Text: "write <b>snow</b> ☃"},
	{Next: 9, Kind: lease.SaidReasoning, Text: "Hm.\n"},
	{Next: 12, Kind: lease.SaidReasoning, Text: "Snow?"},
	{Next: 13, Kind: lease.SaidText, Text: "I **will**"},
	{Next: 20, Kind: lease.SaidText, Text: ", 🐧.\n"},
	{Next: 21, Kind: lease.SaidActivity, ID: "1", Text: "ls `x`\n\x1b[2J"},
	{Next: 22, Kind: lease.SaidActivity, ID: "1", Lifecycle: frames.ActivityCompleted, Text: "ls `x`\n\x1b[2J"},
	{Next: 22, Kind: lease.SaidActivity, ID: "2", Text: "make"},
	{Next: 23, Kind: lease.SaidApproval, About: frames.KindFile, Text: "write snow\u202e.txt", Detail: []provider.DetailLine{
		{Kind: frames.LineMetadata, Text: "snow.txt"}, {Kind: frames.LineAddition, Text: "```"}, {Kind: frames.LineDeletion, Text: "rain"}}},
	{Next: 24, Kind: lease.SaidDecision, Decision: frames.AcceptForSession, Text: "write snow.txt"},
	{Next: 25, Kind: lease.SaidApproval, Text: "rm"},
	{Next: 26, Kind: lease.SaidWithdrawn, Text: "never mind"},
	{Next: 27, Kind: lease.SaidEnd, End: provider.EndFailed, Text: "no power"},
}

func TestMinutesAsText(t *testing.T) {
	want := strings.TrimLeft(`
Conversation 1
==============

--- What was said here is no longer kept ---

--- From here on: workspace game ---

You
write <b>snow</b> ☃

Agent, thinking
Hm.
Snow?

Agent
I **will**, 🐧.

* Done: ls `+"`x`"+` [2J
* Failed: make

The agent asks: may it change a file?
write snow.txt
      snow.txt
    + `+"```"+`
    - rain

You answer: yes, for this session
write snow.txt

The agent asks: may it run a command?
rm

--- The question went away: never mind ---

--- Failed: no power ---
`, "\n")
	if diff := cmp.Diff(want, Text("Conversation 1", conversation)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestMinutesAsMarkdown(t *testing.T) {
	want := strings.TrimLeft(`
# Conversation 1

*What was said here is no longer kept*

---

*From here on: workspace game*

---

## You

write <b>snow</b> ☃

## Agent, thinking

> Hm.
> Snow?

## Agent

I **will**, 🐧.

- Done: `+"``ls `x` [2J``"+`
- Failed: `+"`make`"+`

**The agent asks: may it change a file?** `+"`write snow.txt`"+`

`+"````"+`
  snow.txt
+ `+"```"+`
- rain
`+"````"+`

**You answer: yes, for this session** `+"`write snow.txt`"+`

**The agent asks: may it run a command?** `+"`rm`"+`

*The question went away* `+"`never mind`"+`

---

*Failed* `+"`no power`"+`

---
`, "\n")
	if diff := cmp.Diff(want, Markdown("Conversation 1", conversation)); diff != "" {
		t.Errorf("markdown (-want +got):\n%s", diff)
	}
}

// activity is an entry of one.
func activity(id string, state frames.Lifecycle, label string) lease.Said {
	return lease.Said{Kind: lease.SaidActivity, ID: id, Lifecycle: state, Text: label}
}

func TestActivityStandsOnceWhereItBeganWithWhatBecameOfIt(t *testing.T) {
	text := func(words string) lease.Said { return lease.Said{Kind: lease.SaidText, Text: words} }
	end := func(how provider.End) lease.Said { return lease.Said{Kind: lease.SaidEnd, End: how} }
	const begins, done, failed = frames.ActivityStarted, frames.ActivityCompleted, frames.ActivityFailed
	for name, c := range map[string]struct {
		said []lease.Said
		want string
	}{
		"it ends":                     {[]lease.Said{activity("1", begins, "ls"), activity("1", done, "ls")}, "Done ls"},
		"it fails":                    {[]lease.Said{activity("1", begins, "ls"), activity("1", failed, "ls")}, "Failed ls"},
		"it goes on":                  {[]lease.Said{activity("1", begins, "ls")}, "Under way ls"},
		"it gets another name":        {[]lease.Said{activity("1", begins, "tool"), activity("1", done, "read a")}, "Done read a"},
		"its end has no name":         {[]lease.Said{activity("1", begins, "ls"), activity("1", done, "")}, "Done ls"},
		"two at a time":               {[]lease.Said{activity("1", begins, "a"), activity("2", begins, "b"), activity("2", failed, "b"), activity("1", done, "a")}, "Done a, Failed b"},
		"the same command twice":      {[]lease.Said{activity("1", begins, "ls"), activity("1", done, "ls"), activity("2", begins, "ls")}, "Done ls, Under way ls"},
		"it ends within a text":       {[]lease.Said{activity("1", begins, "a"), text("one "), activity("1", done, "a"), text("two")}, "Done a, Agent one two"},
		"without an ID":               {[]lease.Said{activity("", failed, "no"), activity("", failed, "no")}, "Failed no, Failed no"},
		"its turn is cancelled":       {[]lease.Said{activity("1", begins, "a"), end(provider.EndCancelled)}, "Failed a, Cancelled"},
		"its turn ends without it":    {[]lease.Said{activity("1", begins, "a"), end(provider.EndDone)}, "Under way a, Done"},
		"a later turn is cancelled":   {[]lease.Said{activity("1", begins, "a"), end(provider.EndDone), end(provider.EndCancelled)}, "Under way a, Done, Cancelled"},
		"another session counts anew": {[]lease.Said{activity("1", begins, "a"), {Kind: lease.SaidPlace, Text: "x"}, activity("1", done, "b")}, "Under way a, From here on: x, Done b"},
		"its begin is not kept":       {[]lease.Said{{Kind: lease.SaidMissed}, activity("1", done, "a")}, "What was said here is no longer kept, Done a"},
	} {
		var got []string
		for _, it := range Joined(c.said) {
			got = append(got, strings.TrimSpace(it.Head+" "+it.Text))
		}
		if words := strings.Join(got, ", "); words != c.want {
			t.Errorf("%s: %s, want %s", name, words, c.want)
		}
	}
}

func TestPiecesOfATextBecomeOneAndNothingElseDoes(t *testing.T) {
	items, joined := Items(conversation), Joined(conversation)
	if len(items) != len(conversation) || len(joined) != len(conversation)-3 { // two pieces, and the end of an activity
		t.Fatalf("%d items, %d joined of %d entries", len(items), len(joined), len(conversation))
	}
	if last := joined[len(joined)-1].Next; last != 27 {
		t.Errorf("the last position is %d", last)
	}
	for i, it := range items {
		if it.Kind == "" || it.Head == "" || it.Next != conversation[i].Next {
			t.Errorf("item %d: %+v", i, it)
		}
	}
}

func TestWhatWasSaidIsKeptToTheLetter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		for _, kind := range []lease.SaidKind{lease.SaidPrompt, lease.SaidText, lease.SaidReasoning} {
			it := Items([]lease.Said{{Kind: kind, Text: text}})[0]
			data, err := json.Marshal(it)
			if err != nil {
				rt.Fatal(err)
			}
			var back Item
			if err := json.Unmarshal(data, &back); err != nil || back.Text != text {
				rt.Fatalf("%q came back as %q, %v", text, back.Text, err)
			}
		}
		if got := Text("t", []lease.Said{{Kind: lease.SaidText, Text: text}}); !strings.Contains(got, text) {
			rt.Fatalf("%q is not in the text", text)
		}
	})
}

func TestLabelsCannotBreakOutOfTheirLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		label := rapid.StringOf(rapid.SampledFrom([]rune("a`\n\r*# \u2028\x1b"))).Draw(rt, "label")
		said := []lease.Said{{Kind: lease.SaidActivity, Text: label}}
		if n := strings.Count(Markdown("t", said), "\n"); n != 3 {
			rt.Fatalf("%d lines:\n%s", n, Markdown("t", said))
		}
		if n := strings.Count(Text("t", said), "\n"); n != 4 {
			rt.Fatalf("%d lines:\n%s", n, Text("t", said))
		}
	})
}

func TestNumbersWithoutAWordAreShownAsNumbers(t *testing.T) {
	it := Items([]lease.Said{{Kind: lease.SaidDecision, Decision: 9}})[0]
	if it.Head != "You answer: 9" {
		t.Errorf("%q", it.Head)
	}
}
