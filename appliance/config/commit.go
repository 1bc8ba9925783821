package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// commit makes doc the settings on the disk, in steps that each leave the old
// settings whole or the new. An error means that nothing changed; what fails
// after the settings are in force is returned as warnings.
func commit(o Options, doc []byte, secrets []byte, name string) (warnings []string, err error) {
	if err := o.files.Make(); err != nil {
		return nil, err
	}
	if err := putSecrets(o, secrets, name); err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	p, err := o.files.Write(configName, doc)
	if err != nil {
		return nil, err
	}
	defer p.Discard()
	if err := p.Sync(); err != nil {
		return nil, err
	}
	// Opened before the point of no return: that it cannot be opened is then a
	// failed save, and not an unsure one.
	d, err := o.files.Dir()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if as := former(o); as != "" {
		if err := o.files.Keep(configName, as); err != nil {
			return nil, err
		}
	}
	if err := p.Replace(); err != nil && !inForce(o, doc) {
		return nil, err
	}
	return settle(o, d), nil
}

// inForce asks the disk itself whether a replacement that reported an error
// took place all the same.
func inForce(o Options, doc []byte) bool {
	data, err := o.files.Read(configName)
	return err == nil && bytes.Equal(data, doc)
}

// former returns the name under which the content that is about to be replaced
// stays: damaged content must not push out the last good one.
func former(o Options) string {
	switch _, err := readDocument(o, configName); {
	case err == nil:
		return lastGoodName
	case errors.Is(err, fs.ErrNotExist):
		return ""
	}
	return damagedName
}

// putSecrets writes the file of secrets unless it is there, and makes sure of it
// before anything names it.
func putSecrets(o Options, secrets []byte, name string) error {
	if _, err := readSecrets(o.files, name); err == nil {
		return nil
	}
	d, err := o.files.Dir()
	if err != nil {
		return err
	}
	defer d.Close()
	p, err := o.files.Write(name, secrets)
	if err != nil {
		return err
	}
	defer p.Discard()
	if err := p.Sync(); err != nil {
		return err
	}
	if err := p.Replace(); err != nil {
		return err
	}
	return d.Sync()
}

// settle does what follows once the settings are in force.
func settle(o Options, d dir) (warnings []string) {
	warn := func(what string, err error) {
		warnings = append(warnings, fmt.Sprintf("settings: saved, but %s: %s", what, inWords(err)))
	}
	if err := d.Sync(); err != nil {
		warn("a power cut may bring the former ones back", err)
		return warnings // the former ones still need their secrets
	}
	if _, err := readDocument(o, lastGoodName); err != nil {
		// The first save, or the last good ones were no good either.
		err := o.files.Keep(configName, lastGoodName)
		if err == nil {
			err = d.Sync()
		}
		if err != nil {
			warn("there is no second copy of them", err)
			return warnings
		}
	}
	if err := setMarker(o.Marker); err != nil {
		warn("the note that there are settings could not be written", err)
	}
	if err := sweep(o); err != nil {
		warn("old secrets could not be removed", err)
	}
	return warnings
}

// sweep removes files of secrets that nothing names any more, and what saves
// that were cut off left behind.
func sweep(o Options) error {
	names, err := o.files.List()
	if err != nil {
		return err
	}
	var used []string
	for _, name := range []string{configName, lastGoodName} {
		data, err := o.files.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		r := &reader{options: o}
		if _, bad := read(r, data, Default()); err != nil || bad != nil {
			return nil // unreadable today, perhaps mended tomorrow: keep all
		}
		used = append(used, r.secrets)
	}
	var errs []error
	for _, name := range names {
		if isSecretsFile(name) && !slices.Contains(used, name) || isLeftover(name) {
			errs = append(errs, o.files.Remove(name))
		}
	}
	return errors.Join(errs...)
}

// isLeftover knows the names of files on their way.
func isLeftover(name string) bool {
	return strings.HasPrefix(name, "."+configName) || strings.HasPrefix(name, ".secrets-")
}
