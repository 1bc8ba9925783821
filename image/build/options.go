package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Options say what to build.
type Options struct {
	Project  string // the project's top folder
	Board    Board
	Output   string   // the image; SBOM goes beside it
	Version  string   // such as v1.2.3; empty: one is made of the commit
	Keys     string   // folder with the public keys of updates; empty: none
	Bytes    int64    // the image's size; 0: the board's
	Settings []byte   // prompt64.json for the boot partition; nil: none
	Tools    bool     // with git, a shell and what they need, for the agent
	Perm     string   // folder that /perm begins with; empty: it begins empty
	Firmware Firmware // of the radios
	Codex    *Codex   // is installed in /perm; nil: none
	Cache    string   // keeps packages between builds; empty: the user's cache folder
	// Programs are import paths that a test adds or leaves out ("-path").
	Programs []string
	// Note takes lines for a person. May be nil.
	Note func(format string, args ...any)
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(format, args...)
	}
}

// complete fills in what was left out, and makes paths absolute.
func (o Options) complete() (Options, error) {
	var err error
	if o.Cache == "" {
		if o.Cache, err = DefaultCache(); err != nil {
			return o, err
		}
	}
	if o.Bytes == 0 {
		o.Bytes = o.Board.Bytes
		if o.Codex != nil {
			o.Bytes = withCodex
		}
	}
	if o.Codex != nil && o.Codex.Archive != "" {
		own := *o.Codex
		if own.Archive, err = filepath.Abs(own.Archive); err != nil {
			return o, err
		}
		o.Codex = &own
	}
	if o.Bytes < smallest || o.Bytes%512 != 0 {
		return o, fmt.Errorf("an image has at least %d bytes, in sectors of 512", smallest)
	}
	for _, path := range []*string{&o.Project, &o.Output, &o.Cache, &o.Firmware.Folder, &o.Perm, &o.Keys} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return o, err
		}
	}
	if o.Output == "" {
		return o, errors.New("no output file is named")
	}
	return o, nil
}

// DefaultCache is where packages are kept between builds if no other folder is
// named.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "prompt64", "image"), err
}

// sourceDate is the time of everything in the image: SOURCE_DATE_EPOCH, or when
// the commit was made.
func sourceDate(ctx context.Context, project string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		cmd := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct")
		cmd.Dir = project
		out, err := cmd.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("ask git for the commit's time: %w; without git, set SOURCE_DATE_EPOCH", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds <= 0 {
		return time.Time{}, fmt.Errorf("%q is no time in seconds", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
