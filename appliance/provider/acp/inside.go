package acp

import (
	"os"
	"path/filepath"
	"strings"
)

// inside reports whether all files of a call are within the workspace, through
// whatever links stand on the way. A call that names none is not.
func (c *toolCall) inside() bool {
	paths := c.paths()
	root, err := filepath.EvalSymlinks(c.workspace)
	if err != nil {
		return false
	}
	for _, path := range paths {
		if !within(root, path) {
			return false
		}
	}
	return len(paths) > 0
}

// within resolves as much of a path as exists, and looks where that is.
func within(root, path string) bool {
	path = filepath.Clean(path)
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = filepath.Join(real, rest)
			break
		}
		// A link to nowhere exists, and a write would follow it.
		if _, lerr := os.Lstat(path); lerr == nil || !os.IsNotExist(err) {
			return false
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
	return path == root || strings.HasPrefix(path, root+string(filepath.Separator))
}
