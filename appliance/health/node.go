package health

import "context"

// The IDs of the appliance's nodes.
const (
	Power     = "power"
	Clock     = "clock"
	Network   = "network"
	Data      = "data"
	Settings  = "settings"
	Serial    = "serial"
	Wifi      = "wifi"
	Agent     = "agent"
	Workspace = "workspace"
	Bridge    = "bridge"
	C64       = "c64"
)

// Node is what is known of one thing.
type Node struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`            // for people
	State  State    `json:"state"`           // how it does
	Detail string   `json:"detail"`          // one line: what is
	Hint   string   `json:"hint,omitempty"`  // what to do next, on the pages or at the device; empty when nothing is to be done here
	Shell  string   `json:"shell,omitempty"` // what to do instead for who has a command line; empty: the same
	Needs  []string `json:"needs,omitempty"` // IDs of what it depends on
	Waits  string   `json:"waits,omitempty"` // ID of the failed node at the root of its trouble
}

// Probe looks at one thing. Check returns soon after ctx is done; it may be
// called from any goroutine, but by a Tree never twice at a time.
type Probe interface {
	ID() string
	Check(ctx context.Context) Node
}

// Describer is a Probe that can say its name and its needs without a check, for
// the node of a check that does not come back.
type Describer interface {
	Describe() Node
}

// Func is a Probe made of a function. What the function leaves empty in its node
// is filled in from Node.
type Func struct {
	Node Node // ID, Name and Needs
	Do   func(ctx context.Context) Node
}

var (
	_ Probe     = Func{}
	_ Describer = Func{}
)

// ID returns the node's ID.
func (f Func) ID() string { return f.Node.ID }

// Describe returns the node before any check.
func (f Func) Describe() Node { return f.Node }

// Check calls the function.
func (f Func) Check(ctx context.Context) Node { return f.Do(ctx) }
