package web

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/update"
)

// State is what the pages say about the bridge.
type State struct {
	Provider string   // the agent, such as "demo 1.0"
	Attached int      // leases whose C64 is connected
	Detached int      // leases that wait for their C64
	Waiting  int      // connections without a lease
	Problems []string // what was wrong at the start, in words; not the settings'
}

// Program is what the C64's program is made for.
type Program struct {
	Host string // the address that it dials
	Code string // the pairing code in it; empty: none
	Baud int    // of the serial line that it uses; 0: the network
}

// Updates installs newer versions; an update.Updater does.
type Updates interface {
	State() update.State
	Receive(ctx context.Context, bundle io.Reader, size int64, consent update.Consent) error
	Revert(ctx context.Context) error
	RebootNow()
}

// Config is what the pages need. Settings, State and Program are required; a part
// that is nil is not on this machine, and its page says so.
type Config struct {
	Settings      *config.Store
	State         func() State
	Program       func(Program) ([]byte, error)           // the PRG
	Port          uint16                                  // on which C64s are expected; shown
	Health        func() error                            // nil: always healthy
	Tree          func(ctx context.Context) health.Report // nil: not known
	Updates       Updates                                 // nil: this is no device
	Damage        func() string                           // of the data partition, in words; nil or empty: none
	Erase         func() error                            // makes a damaged data partition anew; nil: this is no device
	Logs          Logs                                    // nil: there are none
	Bundle        Bundle                                  // nil: none can be made
	Conversations Conversations                           // nil: nobody reads along
	Names         func() []string                         // further names of this machine; nil: none
	Workspaces    *folders.Keeper                         // nil: none can be made
	Agents        Agents                                  // nil: none can be chosen
	Wifi          Wifi                                    // nil: there is no radio of ours
	Ports         func() []string                         // serial ports that are there; nil: not known
	Ultimates     Ultimates                               // nil: not looked for
	Pending       func() []string                         // settings that wait for a new start of the bridge; nil: none
	Restart       func()                                  // starts the bridge again; nil: the owner must
	Sessions      *Sessions                               // browsers that are signed in; nil: nobody yet
	Log           *slog.Logger                            // nil: discarded
	Now           func() time.Time                        // nil: time.Now
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sessions == nil {
		c.Sessions = NewSessions()
	}
	if c.Damage == nil || c.Erase == nil {
		c.Damage = func() string { return "" }
	}
	if c.Pending == nil {
		c.Pending = func() []string { return nil }
	}
	return c
}

// Agent is an agent that can be chosen.
type Agent struct {
	Name       string // as the settings name it
	Title      string
	About      string // a sentence
	Installed  string // its version; empty: it is not installed
	CanInstall bool
	CanSignIn  bool
	SignedIn   bool
	Account    string // who is signed in, or that nobody is; empty: not known
	Trouble    string // why it would not work; empty: it would
}

// Agents is which agents there are, and how one is put to use. Methods may take
// long, and end with their context.
type Agents interface {
	List(ctx context.Context) []Agent
	Install(ctx context.Context, name string, tell func(words string, percent int)) error
	// SignIn shows where to enter which code, and returns when it was entered.
	SignIn(ctx context.Context, name string, show func(url, code string)) error
	SignInWithKey(ctx context.Context, name string, key config.Secret) error
}

// WifiNetwork is one that a scan found.
type WifiNetwork struct {
	SSID   string
	Signal string // in words
	Locked bool   // it wants a key
	Why    string // it cannot be joined because; empty: it can
}

// Wifi is the radio.
type Wifi interface {
	// Line is how it is, in one line, and what went wrong last.
	Line() (now, failure string)
	Scan(ctx context.Context) ([]WifiNetwork, error)
}

// Ultimate is one that was found in the network.
type Ultimate struct {
	Address string
	Product string // with its firmware
	Name    string // that it was given
	Trouble string // what is off, in words; empty: it can run the program
	CanOn   bool   // its command interface can be switched on from here
	CanRun  bool
	Own     string // this bridge's address as it sees it; empty: not known
}

// Ultimates are those in the network.
type Ultimates interface {
	Find(ctx context.Context) ([]Ultimate, error)
	Enable(ctx context.Context, address string, password config.Secret) error
	Run(ctx context.Context, address string, password config.Secret, prg []byte) error
}
