package providertest

import (
	"os"
	"slices"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Feature is something that an agent may lack.
type Feature string

// The features that a Harness may declare as lacking.
const (
	Summaries        Feature = "reasoning summaries"
	RawReasoning     Feature = "raw reasoning"
	CommandApproval  Feature = "approval of commands"
	FileApproval     Feature = "approval of files"
	AcceptForSession Feature = "acceptance for the session"
	ReadOnly         Feature = "read-only access"
	AutoReview       Feature = "auto review"
	Activities       Feature = "activities"
	Crash            Feature = "a crash on demand"
	IgnoredCancel    Feature = "a turn that ignores cancel on demand"
	SessionList      Feature = "a list of sessions"
	Resume           Feature = "resuming a session"
	History          Feature = "history"
)

// Harness plugs a provider into the suite.
type Harness struct {
	// Setup makes a fresh world for one subtest: no stored sessions, and empty
	// workspaces.
	Setup func(t *testing.T) World
	// Prompts make the agent do what a subtest needs.
	Prompts Prompts
	// Lacks declares what the agent cannot do, with the reason. The subtests
	// that need it are skipped by that reason's name.
	Lacks map[Feature]string
	// Only names the promises that are enough where an agent is slow, unless
	// PROMPT64_LONG is set. None: all.
	Only []string
}

// World is what one subtest works in.
type World struct {
	// New makes the provider. A later call makes it anew over the same stored
	// sessions, after the one before was closed.
	New func() (provider.Provider, error)
	// Workspace and Other are two folders to work in.
	Workspace, Other string
	// Effects counts how often the agent really did what Prompts.Command or
	// Prompts.File stand for, in this world so far. It is called after each
	// time, so it may take a file away that would be written again.
	Effects func(kind frames.ApprovalKind) int
}

// Prompts are what a user would type to make the agent do one thing.
type Prompts struct {
	// Plain gets an answer of any text.
	Plain string
	// Long streams LongText, which should be more than a queue holds.
	Long     string
	LongText string
	// Think reasons in the modes that the agent has, then answers.
	Think string
	// Command and File ask an approval of their kind under AccessAsk, then do
	// one thing that World.Effects counts.
	Command, File string
	// Busy starts an activity that lasts until it is cancelled; it asks first
	// under AccessAsk.
	Busy string
	// Fail fails the turn; the reason contains FailReason.
	Fail, FailReason string
	// Hang says something and then runs until it is cancelled.
	Hang string
	// Stuck says something and then ignores cancel.
	Stuck string
	// Crash says something and then the agent dies.
	Crash string
}

// leaves reports whether a promise is left to the long tests.
func (h Harness) leaves(p promise) bool {
	return len(h.Only) > 0 && !slices.Contains(h.Only, p.name) && os.Getenv("PROMPT64_LONG") == ""
}

// needs says which prompts a Harness has to give, unless it lacks a feature.
func (h Harness) check(t *testing.T) {
	t.Helper()
	for _, name := range h.Only {
		if !slices.ContainsFunc(promises(), func(p promise) bool { return p.name == name }) {
			t.Errorf("there is no promise %s", name)
		}
	}
	p := h.Prompts
	for _, need := range []struct {
		name, prompt string
		unless       Feature
	}{
		{"Plain", p.Plain, ""}, {"Long", p.Long, ""}, {"LongText", p.LongText, ""},
		{"Fail", p.Fail, ""}, {"FailReason", p.FailReason, ""}, {"Hang", p.Hang, ""},
		{"Think", p.Think, Summaries}, {"Command", p.Command, CommandApproval},
		{"File", p.File, FileApproval}, {"Busy", p.Busy, Activities},
		{"Stuck", p.Stuck, IgnoredCancel}, {"Crash", p.Crash, Crash},
	} {
		if _, lacks := h.Lacks[need.unless]; need.prompt == "" && !lacks {
			t.Errorf("the harness gives no %s, and does not declare a lack", need.name)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
