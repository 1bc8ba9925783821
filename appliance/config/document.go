package config

import (
	"encoding/json"
	"fmt"
)

// read reads a document over base: what it does not name stays. The settings are
// good only where the error is nil.
func read(r *reader, data []byte, base Settings) (Settings, error) {
	raw, err := textFile(data)
	if err != nil {
		return Settings{}, err
	}
	if _, err := members(raw); err != nil {
		return Settings{}, err
	}
	s := base.Clone()
	settingsFields.read(r, "", raw, &s, &s.extra)
	if len(r.invalid) > 0 {
		return Settings{}, r.invalid
	}
	return s, nil
}

// write makes a document of settings.
func write(s Settings, w view) json.RawMessage { return settingsFields.write(s, s.extra, w) }

// Validate tells what is wrong with settings. The error is an Invalid.
func Validate(s Settings, o Options) error {
	_, err := read(&reader{options: o}, write(s, view{secrets: showPlain}), Settings{})
	return err
}

// warnings are what a reader noticed and let pass.
func (r *reader) warnings(s Settings) []string {
	var out []string
	if !r.version {
		out = append(out, fmt.Sprintf("there is no version: taken for %d", Version))
	}
	for _, name := range r.unknown {
		out = append(out, fmt.Sprintf("the field %q is not known: it is kept, and does nothing", name))
	}
	for _, p := range s.Pairing.Prefixes() {
		if p.Bits() == 0 {
			out = append(out, fmt.Sprintf("pairing.allow has %s: every C64 that can reach this device may drive the agent without a code", p))
		}
	}
	return out
}
