package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
)

const defaultDataHelp = "prompt64 in the folder for application data"

// defaultData is where state lives unless -data says otherwise.
func defaultData() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "prompt64"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("there is no home folder to keep state in: say where with -data DIR")
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "prompt64"), nil
	}
	return filepath.Join(home, ".local", "share", "prompt64"), nil
}

//go:embed welcome
var welcome embed.FS

// workspacesFolder returns the folder that holds the workspaces. One that the
// user names must exist, so that a slip of the pen makes no empty folder; the
// data folder's own is made, with a sample to try the agent on.
func workspacesFolder(data, named string, log *slog.Logger) (string, error) {
	if named != "" {
		info, err := os.Stat(named)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("open workspaces: there is no folder %s: make it, or name another with -workspaces DIR", named)
		case err != nil:
			return "", fmt.Errorf("open workspaces: %w", err)
		case !info.IsDir():
			return "", fmt.Errorf("open workspaces: %s is no folder: name another with -workspaces DIR", named)
		}
		return filepath.Abs(named)
	}
	dir := filepath.Join(data, "workspaces")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	err := makeSample(dir)
	if err == nil {
		return dir, nil
	}
	log.Warn("there is no sample workspace", "err", err)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make workspaces: %w", err)
	}
	return dir, nil
}

// makeSample makes dir with the sample in it, or leaves nothing behind: a full
// disk shall cost the sample, not the start of the bridge.
func makeSample(dir string) error {
	temp, err := os.MkdirTemp(filepath.Dir(dir), ".workspaces-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	if err := os.CopyFS(temp, welcome); err != nil {
		return err
	}
	if err := syncTree(temp); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

// syncTree brings everything in a folder to the disk. Without it a power cut in the
// first half minute of a device leaves empty files under a name that is never made
// again.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
