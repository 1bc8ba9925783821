package agent

import (
	"os"
	"slices"
)

// sweep removes what an interrupted installation left in staging.
func (in *Installer) sweep(f folder) error {
	entries, err := os.ReadDir(f.path(stagingDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := in.disk.RemoveAll(f.path(stagingDir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// prune removes every version but the current and the former one, and the
// download. A version that a bridge still uses stays until the next time.
func (in *Installer) prune(f folder) error {
	entries, err := os.ReadDir(f.path(versionsDir))
	if err != nil {
		return err
	}
	keep := []string{f.link(currentLink), f.link(formerLink)}
	for _, e := range entries {
		if slices.Contains(keep, e.Name()) || inUse(f.path(versionsDir, e.Name())) {
			continue
		}
		if err := discard(in.disk, f, e.Name()); err != nil {
			return err
		}
	}
	entries, err = os.ReadDir(f.path(downloadDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := in.disk.RemoveAll(f.path(downloadDir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// discard removes a version. It leaves the versions folder in one step, so that
// what is there is always whole.
func discard(d disk, f folder, name string) error {
	trash := f.path(stagingDir, "old-"+name)
	if err := d.MakeDir(f.path(stagingDir)); err != nil {
		return err
	}
	if err := d.RemoveAll(trash); err != nil {
		return err
	}
	if err := d.Rename(f.path(versionsDir, name), trash); err != nil {
		return err
	}
	return d.RemoveAll(trash)
}
