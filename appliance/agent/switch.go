package agent

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// trial is about the program of the version in a folder.
func (f folder) trial(version string, names ...string) Trial {
	return Trial{Program: filepath.Join(f.path(names...), filepath.FromSlash(program)), Version: version, Scratch: f.path(stagingDir)}
}

// change makes a version the current one, and undoes it when the version does
// not start from there.
func (in *Installer) change(ctx context.Context, f folder, name, version string) error {
	in.Progress(Progress{Stage: Switching})
	before := f.link(currentLink)
	if before != "" && before != name {
		if err := in.disk.Link(linkTarget(before), f.path(formerLink)); err != nil {
			return err
		}
	}
	if err := in.point(f, name); err != nil {
		return err
	}
	trial := f.trial(version, currentLink)
	trial.User = in.User
	err := in.Again(ctx, trial)
	if err != nil && before != "" && before != name {
		if undo := in.point(f, before); undo != nil {
			return errors.Join(err, undo)
		}
		return fmt.Errorf("it does not start, so the version before it is back: %w", err)
	}
	if err != nil {
		return fmt.Errorf("it does not start: %w", err)
	}
	return in.prune(f)
}

// point makes current name a version, for good.
func (in *Installer) point(f folder, name string) error {
	if err := in.disk.Link(linkTarget(name), f.path(currentLink)); err != nil {
		return err
	}
	return in.disk.Sync(string(f))
}

func linkTarget(name string) string { return versionsDir + "/" + name }

// find returns the version that was just installed.
func (in *Installer) find(agent, name string) (Version, error) {
	list, err := in.Store.List(agent)
	if err != nil {
		return Version{}, err
	}
	i := slices.IndexFunc(list, func(v Version) bool { return v.name() == name })
	if i < 0 {
		return Version{}, errors.New("it is gone again: did another command remove it?")
	}
	return list[i], nil
}
