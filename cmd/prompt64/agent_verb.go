package main

import (
	"errors"
	"path/filepath"
)

// verbError carries the verb whose command line was wrong, so that its own usage
// is shown.
type verbError struct {
	usageError
	verb command
}

func asVerb(v command, err error) error {
	var u usageError
	if errors.As(err, &u) {
		return verbError{u, v}
	}
	return err
}

func (v verbError) Unwrap() error { return v.usageError }

// usage is the line that follows the fault.
func (v verbError) usage() string { return v.verb.name + " " + v.verb.args }

func absolute(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return path, nil
}
