package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
)

func fixed(rows []report.Row, err error) func(context.Context, plan.Plan) ([]report.Row, error) {
	return func(context.Context, plan.Plan) ([]report.Row, error) { return rows, err }
}

var two = []group{
	{"over", "what misses its aim", fixed([]report.Row{{Name: "slow thing", Value: 9, Aim: report.AtMost(1)}}, nil)},
	{"broken", "what cannot be measured", fixed([]report.Row{{Name: "half of it", Value: 1}}, errors.New("no assembler here"))},
}

func TestAMissedAimIsPrintedAndDoesNotFail(t *testing.T) {
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"--only", "over"}, two, &out, &progress); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(out.String(), "over") || !strings.Contains(out.String(), "slow thing") {
		t.Errorf("the table:\n%s", out.String())
	}
}

func TestWhatCannotBeMeasuredFailsAndSaysSo(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}} {
		var out, progress bytes.Buffer
		if code := run(t.Context(), args, two, &out, &progress); code != 1 {
			t.Errorf("exit code %d", code)
		}
		for _, want := range []string{"slow thing", "half of it", "no assembler here"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: %q is not in\n%s", args, want, out.String())
			}
		}
	}
}

func TestAnUnknownGroupOrOptionIsRefusedInWords(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--only", "speed"}, "there are: over, broken"},
		{[]string{"quick"}, "every option begins with a dash"},
		{[]string{"--fast"}, "usage: scripts/bench"},
	} {
		var out, stderr bytes.Buffer
		if code := run(t.Context(), c.args, two, &out, &stderr); code != 2 || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v: code %d, %s", c.args, code, stderr.String())
		}
	}
}

func TestAnInterruptedRunKeepsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	first := group{"first", "", func(context.Context, plan.Plan) ([]report.Row, error) {
		cancel()
		return []report.Row{{Name: "done", Value: 1}}, nil
	}}
	rows, missing := measure(ctx, []group{first, two[0]}, plan.Plan{}, &bytes.Buffer{})
	if len(rows) != 1 || len(missing) != 1 || !errors.Is(missing[0].Err, context.Canceled) {
		t.Errorf("rows %v, missing %v", rows, missing)
	}
}

func TestGroupNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range namesOf(groups) {
		if seen[name] {
			t.Errorf("%q is there twice", name)
		}
		seen[name] = true
	}
}

func TestTheProfileGoesBesideTheTable(t *testing.T) {
	g := group{"prof", "", func(_ context.Context, p plan.Plan) ([]report.Row, error) {
		if p.Profile != nil {
			p.Profile("cycles by routine:", []string{"20 wrap", "10 paint"})
		}
		return []report.Row{{Name: "cycles", Value: 200}}, nil
	}}
	for _, c := range []struct {
		args []string
		want bool
	}{{[]string{"--profile"}, true}, {nil, false}} {
		var out, progress bytes.Buffer
		if code := run(t.Context(), c.args, []group{g}, &out, &progress); code != 0 {
			t.Errorf("exit code %d", code)
		}
		if got := strings.Contains(progress.String(), "20 wrap"); got != c.want || strings.Contains(out.String(), "wrap") {
			t.Errorf("%v: out %q, beside %q", c.args, out.String(), progress.String())
		}
	}
}

func TestHelpListsTheGroupsAndSucceeds(t *testing.T) {
	var out, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--help"}, two, &out, &stderr); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(stderr.String(), "what misses its aim") {
		t.Errorf("help: %s", stderr.String())
	}
}

// full is a writer on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestATableThatCannotBeWrittenFails(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"--only", "over"}, two, full{}, &stderr); code != 1 || !strings.Contains(stderr.String(), "no space") {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}

func TestOptionsReachThePlan(t *testing.T) {
	o, err := parse([]string{"-quick", "-root", "/r", "-bridge", "/b", "-only", "over,broken"}, two, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if !o.plan.Quick || o.plan.Root != "/r" || o.plan.Bridge != "/b" || len(o.only) != 2 {
		t.Errorf("%+v", o)
	}
}
