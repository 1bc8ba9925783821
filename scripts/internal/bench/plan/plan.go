// Package plan says how thoroughly to measure, and where things are.
package plan

import (
	"os"
	"path/filepath"
	"time"
)

// Plan is one run of the bench.
type Plan struct {
	Quick   bool                               // fewer and shorter runs: a look, no record
	Root    string                             // the repository
	Bridge  string                             // the built prompt64 program
	Profile func(title string, lines []string) // takes where cycles went; nil: nobody asked
}

// Runs is how often everything is measured; the medians are over these.
func (p Plan) Runs() int {
	if p.Quick {
		return 3
	}
	return 7
}

// Of is n, or a third of it in a quick run.
func (p Plan) Of(n int) int {
	if p.Quick {
		return max(n/3, 1)
	}
	return n
}

// PRG is the built program of the C64.
func (p Plan) PRG() string { return filepath.Join(p.Root, "c64prg", "prompt64.prg") }

// Labels are its symbols: of the two files that the Makefile writes, with the
// program and when it checks it, the newer one.
func (p Plan) Labels() string {
	build := filepath.Join(p.Root, "c64prg", "build")
	made, checked := filepath.Join(build, "prompt64.lbl"), filepath.Join(build, "check.lbl")
	if written(checked).After(written(made)) {
		return checked
	}
	return made
}

// written is when a file was last written; zero if it is not there.
func written(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
