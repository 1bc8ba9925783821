package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
)

// Our own choices; the protocol's numbers are in frames.
const (
	inspectionTime = 3 * time.Second // for one Summary, Changes or Diff
	outputCeiling  = 256 * 1024      // bytes that git may say in one inspection
	inspections    = 2               // at a time; more wait, so that memory stays bounded
	gitProgram     = "git"
)

// Root is the folder beneath which all workspaces lie. Its methods may be
// called from several goroutines.
type Root struct {
	fs      *os.Root
	dir     string        // the real path
	alias   string        // the path as it was given, for absolute links that use it
	git     string        // program to run
	user    *privsep.User // git runs as it, and what is beneath the root is read as it
	temp    string        // where private folders are made; empty: the system's
	timeout time.Duration
	wall    wall
	turn    chan struct{} // a place for each inspection that may run
}

// Option changes a Root when it is opened.
type Option func(*Root)

// WithGit names the git program: a path, or a name to look up.
func WithGit(program string) Option { return func(r *Root) { r.git = program } }

// WithTemp names the folder in which private copies are made for the moment of
// an inspection. It must not lie in a workspace.
func WithTemp(dir string) Option { return func(r *Root) { r.temp = dir } }

// WithUser names who runs git, and whose rights to the files beneath the root count.
// The default is whoever runs this program. The folder of WithTemp must be the
// user's, who alone should be able to enter it.
func WithUser(u *privsep.User) Option { return func(r *Root) { r.user = u } }

// WithTimeout bounds one inspection; the default is three seconds.
func WithTimeout(d time.Duration) Option { return func(r *Root) { r.timeout = d } }

// OpenRoot opens the folder dir as the root of all workspaces.
func OpenRoot(dir string, options ...Option) (*Root, error) {
	alias, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open workspaces: %w", err)
	}
	real, err := filepath.EvalSymlinks(alias)
	if err != nil {
		return nil, fmt.Errorf("open workspaces: %w", err)
	}
	fs, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("open workspaces: %w", err)
	}
	r := &Root{fs: fs, dir: real, alias: alias, git: gitProgram, timeout: inspectionTime,
		turn: make(chan struct{}, inspections)}
	for _, o := range options {
		o(r)
	}
	sweep(r.temp, time.Now())
	return r, nil
}

// Close gives the root up; what is asked of it afterwards fails.
func (r *Root) Close() error { return r.fs.Close() }

// as calls f with the rights of the root's user.
func as[T any](r *Root, f func() (T, error)) (result T, err error) {
	err = r.user.Do(func() (err error) {
		result, err = f()
		return err
	})
	return result, err
}

// Dir is the real path of the root.
func (r *Root) Dir() string { return r.dir }
