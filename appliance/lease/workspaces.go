package lease

import (
	"context"

	"github.com/prompt64/prompt64/appliance/workspace"
)

// Workspaces is what a lease needs of the folders beneath the root. All methods
// may be slow, and are called beside the lease; they are safe for concurrent
// use.
type Workspaces interface {
	// Resolve finds the folder that a path relative to the root names, in
	// Unicode; empty is the root.
	Resolve(path string) (workspace.Folder, error)
	// List gives the folders in a folder.
	List(path string) ([]workspace.Entry, error)
	// Summary tells the branch and the totals.
	Summary(ctx context.Context, f workspace.Folder) (workspace.Summary, error)
	// Changes takes a snapshot.
	Changes(ctx context.Context, f workspace.Folder) (Snapshot, error)
}

// Snapshot is the changes of a repository at one moment.
type Snapshot struct {
	Rows []workspace.Change
	Cut  bool // there are more, which were not counted
	// Diff gives the difference of a row of Rows.
	Diff func(ctx context.Context, row int) ([]workspace.Line, error)
}

// FromRoot offers the folders beneath a root.
func FromRoot(r *workspace.Root) Workspaces { return root{r} }

type root struct{ *workspace.Root }

// Changes implements Workspaces.
func (r root) Changes(ctx context.Context, f workspace.Folder) (Snapshot, error) {
	c, err := r.Root.Changes(ctx, f)
	if err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Rows: c.Rows, Cut: c.Cut, Diff: c.Diff}, nil
}
