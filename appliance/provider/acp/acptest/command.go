package acptest

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// variable carries the Options to the process.
const variable = "PROMPT64_ACPTEST"

// Options say what kind of agent it is. They are plain data, as they travel
// through the environment.
type Options struct {
	State string // a folder where sessions are kept; empty: they are not
	// Lacks of capabilities.
	NoList, NoLoad, NoResume bool
	// Modes are offered through session/set_mode; the first is on.
	Modes []string
	// ModeOption offers them as a configuration option instead.
	ModeOption bool
	// StuckMode makes the agent refuse to change its mode.
	StuckMode bool
	// SignIn makes session/new ask to sign in, until authenticate was called
	// with SignInMethod.
	SignIn       bool
	SignInMethod string
	// Version is of the protocol; 0 means 1.
	Version int
	// Start is what goes wrong at the start: "exit", "silent", "noise".
	Start string
	// LoseCancel is how many cancels get lost.
	LoseCancel int
	// Lingers is how long a turn that failed goes on behind the answer that says so.
	// A prompt that comes meanwhile is never answered.
	Lingers time.Duration
	// Forget makes load and resume fail, as if the sessions were gone.
	Forget bool
	// Recording is the name of a recorded session to play.
	Recording string
	// Tell is a file to which the agent appends each request that it gets.
	Tell string
}

// Command is what to start for an agent: its arguments and what to add to the
// environment. The test's TestMain has to call Main.
func Command(o Options) (argv, env []string, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("find the test's program: %w", err)
	}
	data, err := json.Marshal(o)
	if err != nil {
		return nil, nil, fmt.Errorf("encode options: %w", err)
	}
	// The race detector keeps a process for a second at its end, else.
	return []string{program}, []string{variable + "=" + string(data), "GORACE=atexit_sleep_ms=0"}, nil
}

// Main runs the agent and ends the process, if this is the agent's process.
// Otherwise it does nothing.
func Main() {
	data, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	var o Options
	if err := json.Unmarshal([]byte(data), &o); err != nil {
		fmt.Fprintln(os.Stderr, "acptest: decode options:", err)
		os.Exit(2)
	}
	switch o.Start {
	case "exit":
		fmt.Fprintln(os.Stderr, "error: no such model")
		os.Exit(3)
	case "silent":
		select {} // until it is killed
	}
	if o.Recording != "" {
		os.Exit(play(o, os.Stdin, os.Stdout))
	}
	os.Exit(serve(o, os.Stdin, os.Stdout))
}
