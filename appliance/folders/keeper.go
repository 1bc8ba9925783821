package folders

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
)

// Options change a Keeper.
type Options struct {
	// InUse reports whether a conversation works in a folder; nil: none does.
	InUse func(name string) bool

	// User owns what is made, and runs git. nil: whoever runs this program.
	User *privsep.User

	// CAFile holds the certificates that git trusts; empty: the system's.
	CAFile string

	// Silence is how long nothing may come while a repository is cloned; 0: a
	// minute. A server that works without having anything to send says so.
	Silence time.Duration
}

// Keeper keeps the workspaces in one root. Its methods are safe for concurrent
// use.
type Keeper struct {
	Options
	root *os.Root
	dir  string

	cloning sync.Mutex // one at a time: memory and disk are small
}

// Names of what is not a workspace yet, or not any more.
const (
	hidden  = ".prompt64-"
	making  = hidden + "new-"
	leaving = hidden + "gone-"
)

// Open opens the folder dir, which must exist, and removes what a former process
// left half made.
func Open(dir string, o Options) (*Keeper, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open workspaces: %w", err)
	}
	if o.Silence <= 0 {
		o.Silence = time.Minute
	}
	k := &Keeper{Options: o, root: root, dir: dir}
	k.sweep()
	return k, nil
}

// Close gives the root up.
func (k *Keeper) Close() error { return k.root.Close() }

// Folder is a workspace.
type Folder struct {
	Name  string
	Git   bool
	InUse bool
}

// List gives the workspaces by name. Links are not listed: nothing here touches
// what they lead to.
func (k *Keeper) List() ([]Folder, error) {
	entries, err := fs.ReadDir(k.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list workspaces: %w", plain(err))
	}
	var out []Folder
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		_, err := k.root.Lstat(e.Name() + "/.git")
		out = append(out, Folder{Name: e.Name(), Git: err == nil, InUse: k.inUse(e.Name())})
	}
	slices.SortFunc(out, func(a, b Folder) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return out, nil
}

func (k *Keeper) inUse(name string) bool { return k.InUse != nil && k.InUse(name) }

// Make makes an empty workspace.
func (k *Keeper) Make(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	err := k.User.Do(func() error { return k.root.Mkdir(name, 0o755) })
	if errors.Is(err, fs.ErrExist) {
		return ErrTaken
	}
	if err != nil {
		return fmt.Errorf("make workspace: %w", plain(err))
	}
	return nil
}

// Delete deletes a workspace and all that is in it. A link is no workspace.
func (k *Keeper) Delete(name string) error {
	if strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`+"\x00") || name == "" {
		return ErrMissing
	}
	info, err := k.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrMissing
	case err != nil:
		return fmt.Errorf("delete workspace: %w", plain(err))
	case !info.IsDir():
		return ErrMissing
	case k.inUse(name):
		return ErrInUse
	}
	gone := leaving + rand.Text()
	if err := k.root.Rename(name, gone); err != nil {
		return fmt.Errorf("delete workspace: %w", plain(err))
	}
	if err := k.root.RemoveAll(gone); err != nil {
		return fmt.Errorf("delete workspace: it is gone from the list, but not all of it could be removed: %w", plain(err))
	}
	return nil
}

// sweep removes what is hidden and ours.
func (k *Keeper) sweep() {
	entries, _ := fs.ReadDir(k.root.FS(), ".")
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), making) || strings.HasPrefix(e.Name(), leaving) {
			_ = k.root.RemoveAll(e.Name())
		}
	}
}

// plain is an error without the path, which is the caller's own word.
func plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return at.Err
	}
	return err
}
