package config

import (
	"errors"
	"io/fs"
	"slices"
)

// document is a file of settings that was read and found good.
type document struct {
	settings Settings
	secrets  secretsFile
	password Secret // in plain, not hashed yet
	named    bool   // it names a file of secrets
	inline   bool   // it has secrets in itself
	warnings []string
}

// readDocument reads one of the two files of settings, with its secrets.
func readDocument(o Options, name string) (document, error) {
	data, err := o.files.Read(name)
	if err != nil {
		return document{}, err
	}
	// A first pass finds the file of secrets, which the second reads over.
	first := &reader{options: o}
	if _, err := read(first, data, Default()); err != nil {
		return document{}, err
	}
	d := document{named: first.secrets != ""}
	base, r := Default(), &reader{options: o}
	if d.named {
		if d.secrets, err = readSecrets(o.files, first.secrets); err != nil {
			return document{}, err
		}
		d.secrets.fill(&base, r)
	}
	if d.settings, err = read(r, data, base); err != nil {
		return document{}, err
	}
	d.password, d.inline = r.password, r.inline
	d.warnings = r.warnings(d.settings)
	return d, nil
}

// Read tells what settings are in force in a folder, and how they are. It never
// fails and changes nothing, so a program may use it beside a running bridge;
// the boot partition is not looked at.
func Read(o Options) (Settings, State) {
	d, s := load(o.withDefaults())
	s.Boot = o.Boot != nil
	if !d.password.Empty() {
		// Not hashed, since only the bridge takes it over.
		s.warn("the password in %s waits for the bridge to take it over", configName)
	}
	return d.settings, s
}

// load finds the settings in force.
func load(o Options) (document, State) {
	var s State
	names, listErr := o.files.List()
	d, err := readDocument(o, configName)
	if err == nil {
		s.Source, s.Warnings = Loaded, d.warnings
		s.Setup = d.settings.Password.Empty() && d.password.Empty() && (d.named || !hadSettings(o, names))
		if !d.named && !s.Setup && d.password.Empty() {
			s.problem("settings: %s names no file of secrets: the password, keys and code of before are not in use; add a password to it, or %s", configName, o.wayBack())
		}
		return d, s
	}
	fresh := errors.Is(err, fs.ErrNotExist) && !hadSettings(o, names) &&
		(listErr == nil || errors.Is(listErr, fs.ErrNotExist))
	if fresh {
		s.Setup = true
		return document{settings: Default()}, s
	}
	why := reason(err)
	if d, err := readDocument(o, lastGoodName); err == nil {
		s.Source, s.Warnings = LastGood, d.warnings
		s.problem("settings: %s is no good (%s): the last good ones are in use; look at them, and save them again", configName, why)
		if d.settings.Password.Empty() && d.password.Empty() {
			s.problem("settings: the last good ones have no password: %s", o.wayBack())
		}
		return d, s
	}
	s.Source = Lost
	s.problem("settings: they are lost (%s: %s): nobody is let in: %s", configName, why, o.wayBack())
	return document{settings: Default()}, s
}

// hadSettings reports whether there is a trace of former settings.
func hadSettings(o Options, names []string) bool {
	if o.Marker != "" {
		if _, err := readFile(o.Marker); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name == lastGoodName || name == damagedName
	})
}

// reason says in words why a file is no good.
func reason(err error) string {
	if bad := (Invalid)(nil); errors.As(err, &bad) {
		return bad.Error()
	}
	return inWords(err)
}
