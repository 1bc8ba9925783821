package lease

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Config is what a Table needs. Provider and Workspaces are required.
type Config struct {
	Provider   provider.Provider
	Workspaces Workspaces
	Defaults   Settings        // of a fresh lease; see DefaultSettings
	Status     func() []string // extra rows of the STATUS tab, "LABEL: value"; may be nil; returns at once
	Log        *slog.Logger    // nil: discarded
	Rand       io.Reader       // nil: the system's secure source
	Lifetime   time.Duration   // of a detached lease; 0: the protocol's 120 s
}

// Table is all leases of a bridge. Its methods are safe for concurrent use.
type Table struct{}

// NewTable makes an empty table.
func NewTable(cfg Config) *Table { return nil }

// Get makes a fresh lease and attaches l to it; its LeaseState is the first
// frame of Next. ErrFull if there is no room (the rule is in admit).
func (t *Table) Get(l Link) (*Attachment, error) { return nil, nil }

// Reconnect attaches l to the lease that tok names, if it is detached or its
// attachment is stale: then the older connection is killed first. Next hands
// out ReconnectState, the retained frames newer than applied, ReconnectDone,
// and then lives on. ErrExpired, ErrInUse or ErrFull otherwise.
func (t *Table) Reconnect(tok frames.Token, applied uint16, l Link) (*Attachment, error) {
	return nil, nil
}

// Close ends all leases and waits for their providers' sessions, until ctx is
// done.
func (t *Table) Close(ctx context.Context) error { return nil }

// Snapshot describes the leases, oldest first, without secrets.
func (t *Table) Snapshot() []Info { return nil }

// Info describes a lease for a page or a log.
type Info struct {
	ID        int    // counts from 1, names the lease in logs; no secret
	Addr      string // of the attached link, empty while detached
	Attached  bool
	Stale     bool          // the attachment shows no sign of life
	Detached  time.Duration // since when it is detached
	Turn      string        // READY, WORKING, WAITING FOR YOU, CANCELLING
	Workspace string        // relative to the root
	Session   string        // title, shaped; empty while new
	Latest    uint16        // last sequence assigned
	Retained  int           // bytes in the log
}
