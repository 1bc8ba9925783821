package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errFolderGone is what everything in a workspace comes to once its folder was
// removed. The system's own words, "no such file", would name the wrong thing.
var errFolderGone = errors.New("the workspace's folder is gone, choose another workspace")

// checkFolder says what keeps a path from being a workspace.
func checkFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errFolderGone
	case err != nil:
		return fmt.Errorf("workspace: %w", err)
	case !info.IsDir():
		return fmt.Errorf("the workspace %s is not a folder", path)
	}
	return nil
}

// openFolder confines what is written to the workspace.
func openFolder(path string) (*os.Root, error) {
	root, err := os.OpenRoot(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errFolderGone
	}
	return root, err
}
