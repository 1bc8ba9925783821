package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Remove deletes one version of an agent, or all of it where version is empty.
// Its sign-in and its sessions are not there, so they stay.
func (s Store) Remove(agent, version string) ([]Version, error) {
	removed, err := s.remove(realDisk{}, agent, version)
	if err != nil {
		return removed, fmt.Errorf("remove %s: %w", agent, err)
	}
	return removed, nil
}

func (s Store) remove(d disk, agent, version string) ([]Version, error) {
	f := s.folder(agent)
	if _, err := os.Stat(string(f)); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotInstalled
	}
	lock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	list, err := s.List(agent)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(v Version) bool { return version != "" && v.Version != version })
	if len(list) == 0 {
		return nil, fmt.Errorf("%w in version %q", ErrNotInstalled, version)
	}
	for _, v := range list {
		switch {
		case version != "" && v.Current:
			return nil, fmt.Errorf("%s is the current version: install another one first, or remove all of it with -all", v.Version)
		case inUse(v.Dir):
			return nil, fmt.Errorf("a bridge uses version %s: end it first", v.Version)
		}
	}
	return s.discardAll(d, f, list, version == "")
}

// discardAll removes versions, and with everything also the links, first, and
// what was fetched.
func (s Store) discardAll(d disk, f folder, list []Version, everything bool) ([]Version, error) {
	if everything {
		for _, name := range []string{currentLink, formerLink, downloadDir} {
			if err := d.RemoveAll(f.path(name)); err != nil {
				return nil, err
			}
		}
		if err := d.Sync(string(f)); err != nil {
			return nil, err
		}
	}
	for i, v := range list {
		if err := discard(d, f, v.name()); err != nil {
			return list[:i], err
		}
	}
	return list, d.Sync(f.path(versionsDir))
}
