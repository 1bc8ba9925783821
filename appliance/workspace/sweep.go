package workspace

import (
	"os"
	"path/filepath"
	"time"
)

const (
	boxPrefix = "prompt64-git-"
	boxAge    = time.Hour // no box lives nearly as long
)

// sweep takes away the boxes of bridges that were killed in an inspection.
func sweep(temp string, now time.Time) {
	if temp == "" {
		temp = os.TempDir()
	}
	old, _ := filepath.Glob(filepath.Join(temp, boxPrefix+"*"))
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && now.Sub(info.ModTime()) > boxAge {
			_ = os.RemoveAll(dir)
		}
	}
}
