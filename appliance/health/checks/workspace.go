package checks

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/prompt64/prompt64/appliance/health"
)

// Workspace looks at the folder of the workspaces. open returns its files; for a
// folder of this machine it is Folder.
func Workspace(dir string, open func(dir string) fs.FS) health.Probe {
	return probe(health.Workspace, "Workspaces", func(context.Context) health.Node {
		entries, err := fs.ReadDir(open(dir), ".")
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fail("Make the folder, or name another one in the settings.", "there is no folder %s", dir)
		case errors.Is(err, fs.ErrPermission):
			return fail("Make it readable for the bridge's user.", "%s may not be read", dir)
		case err != nil:
			return fail("Name another folder in the settings.", "%s cannot be read: %v", dir, err)
		}
		n := 0
		for _, e := range entries {
			if e.IsDir() {
				n++
			}
		}
		if n == 0 {
			return ok("%s has no folders: the agent works in it itself", dir)
		}
		return ok("%s with %s", dir, plural(n, "folder", "folders"))
	}, health.Data)
}

// Folder is a folder of this machine.
func Folder(dir string) fs.FS { return os.DirFS(dir) }
