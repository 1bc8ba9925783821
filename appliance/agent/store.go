package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Store is where agents are installed.
type Store struct{ dir string }

// Open returns the store of a data folder. It makes nothing.
func Open(data string) Store { return Store{filepath.Join(data, "agents")} }

// Errors that callers branch on.
var (
	ErrNotInstalled = errors.New("the agent is not installed")
	ErrBusy         = errors.New("another command is at work on this agent")
)

// Names of links and folders in an agent's folder.
const (
	currentLink  = "current"
	formerLink   = "former"
	versionsDir  = "versions"
	stagingDir   = "staging"
	downloadDir  = "download"
	lockFileName = "lock"
)

// folder is the folder of one agent.
type folder string

func (s Store) folder(agent string) folder { return folder(filepath.Join(s.dir, agent)) }

func (f folder) path(names ...string) string {
	return filepath.Join(append([]string{string(f)}, names...)...)
}

// lock takes hold of the folder, so that two commands do not mix.
func (f folder) lock() (*os.File, error) {
	file, err := os.OpenFile(f.path(lockFileName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := flock(file, syscall.LOCK_EX); err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: wait for it to end", ErrBusy)
		}
		return nil, fmt.Errorf("lock: %w", err)
	}
	return file, nil
}

func flock(f *os.File, how int) error { return syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) }

// link returns the name of the version that a link names, empty if there is none.
func (f folder) link(name string) string {
	target, err := os.Readlink(f.path(name))
	if err != nil || filepath.Dir(target) != versionsDir {
		return ""
	}
	return filepath.Base(target)
}

// Version is an installed version of an agent.
type Version struct {
	Agent     string
	Version   string
	Dir       string
	Installed time.Time
	Current   bool // the one that the bridge starts
	Former    bool // the one before it
	Damaged   bool // its receipt cannot be read, so Version and Installed are unknown

	receipt receipt
}

// Archive is the SHA-256 of the archive that it came from.
func (v Version) Archive() string { return v.receipt.Archive }

// name is the version's folder name.
func (v Version) name() string { return filepath.Base(v.Dir) }

// List returns the installed versions of an agent, the current one first.
func (s Store) List(agent string) ([]Version, error) {
	f := s.folder(agent)
	entries, err := os.ReadDir(f.path(versionsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list versions: %w", err)
	}
	current, former := f.link(currentLink), f.link(formerLink)
	var list []Version
	for _, e := range entries {
		v := Version{Agent: agent, Dir: f.path(versionsDir, e.Name())}
		v.receipt, err = readReceipt(v.Dir)
		v.Damaged = err != nil
		v.Version, v.Installed = v.receipt.Version, v.receipt.Installed
		v.Current, v.Former = e.Name() == current, e.Name() == former && former != current
		list = append(list, v)
	}
	slices.SortStableFunc(list, func(a, b Version) int {
		switch {
		case a.Current != b.Current:
			return order(a.Current)
		case a.Former != b.Former:
			return order(a.Former)
		}
		return b.Installed.Compare(a.Installed)
	})
	return list, nil
}

func order(first bool) int {
	if first {
		return -1
	}
	return 1
}
