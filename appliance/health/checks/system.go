package checks

import (
	"io/fs"
	"os"
)

// System is this machine's file system, from its root.
func System() fs.FS { return os.DirFS("/") }

// Exists reports whether there is something at a path of this machine.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
