package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Program is an installed version that someone uses. Until it is closed, no
// command removes it.
type Program struct {
	Version string
	Path    string // of the program
	hold    *os.File
}

// Close lets go of the version.
func (p *Program) Close() error { return p.hold.Close() }

// Use returns the current version of an agent, or ErrNotInstalled.
func (s Store) Use(agent string) (*Program, error) {
	f := s.folder(agent)
	for {
		name := f.link(currentLink)
		if name == "" {
			return nil, fmt.Errorf("%s: %w", agent, ErrNotInstalled)
		}
		dir := f.path(versionsDir, name)
		hold, err := os.Open(dir)
		if err == nil { // waits where a command looks whether it is in use
			err = syscall.Flock(int(hold.Fd()), syscall.LOCK_SH)
		}
		if f.link(currentLink) != name { // replaced meanwhile, and perhaps removed
			_ = hold.Close()
			continue
		}
		if err != nil {
			_ = hold.Close()
			return nil, fmt.Errorf("use %s: %w; install it again", agent, err)
		}
		r, err := readReceipt(dir)
		if err != nil {
			_ = hold.Close()
			return nil, fmt.Errorf("use %s: %w; install it again", agent, err)
		}
		return &Program{Version: r.Version, Path: filepath.Join(dir, filepath.FromSlash(program)), hold: hold}, nil
	}
}

// inUse reports whether someone uses the version in dir. The lock that tells it
// is let go at once: the caller holds the agent's lock, and a bridge that starts
// now takes the current version, which is not removed.
func inUse(dir string) bool {
	d, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer d.Close()
	return flock(d, syscall.LOCK_EX) != nil
}

// Path returns where the program of the current version is, or will be once
// there is one.
func (s Store) Path(agent string) string {
	return filepath.Join(s.folder(agent).path(currentLink), filepath.FromSlash(program))
}

// Damage compares the version that a program belongs to with its receipt and
// returns in words what is wrong. A program from elsewhere has no receipt and no
// damage.
func (s Store) Damage(agent, path string) (string, error) {
	dir := filepath.Dir(filepath.Dir(path))
	if filepath.Dir(dir) != s.folder(agent).path(versionsDir) {
		return "", nil
	}
	r, err := readReceipt(dir)
	if err != nil {
		return "", err
	}
	return r.damage(dir), nil
}

// Scratch returns a folder in which a program of an agent can be tried, and what
// lets go of it. Nothing is installed or removed meanwhile.
func (s Store) Scratch(agent string) (dir string, release func(), err error) {
	f := s.folder(agent)
	dir = f.path(stagingDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	lock, err := f.lock()
	if err != nil {
		return "", nil, err
	}
	return dir, func() { _ = lock.Close() }, nil
}
