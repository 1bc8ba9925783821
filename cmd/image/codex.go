package main

import (
	"flag"
	"strconv"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/image/build"
)

// codexFlags say which Codex the image has.
type codexFlags struct {
	with withCodex
	build.Codex
}

func (c *codexFlags) add(fs *flag.FlagSet) {
	fs.Var(&c.with, "with-codex", "install Codex for the board: --with-codex [VERSION] (default: the version that the bridge is tested with)")
	fs.StringVar(&c.Archive, "codex-archive", "", "take Codex from `FILE`, a release or an npm package, in place of fetching it")
	fs.Func("codex-sha256", "the `DIGEST` of Codex's archive, for a version that is not known here", func(text string) error {
		digest, err := fetch.ParseDigest(text)
		c.Digest = &digest
		return err
	})
}

// wanted is what was asked for, nil if nothing was.
func (c *codexFlags) wanted() *build.Codex {
	if !c.with.wanted && c.Archive == "" && c.Digest == nil {
		return nil
	}
	c.Version = c.with.version
	return &c.Codex
}

// withCodex is a flag that may have a version behind it.
type withCodex struct {
	wanted  bool
	version string
}

var _ flag.Value = (*withCodex)(nil)

// String implements flag.Value.
func (w *withCodex) String() string { return w.version }

// IsBoolFlag lets package flag take it without a value, which then is "true".
func (w *withCodex) IsBoolFlag() bool { return true }

// Set implements flag.Value.
func (w *withCodex) Set(text string) error {
	w.wanted, w.version = true, ""
	if b, err := strconv.ParseBool(text); err == nil {
		w.wanted = b
		return nil
	}
	w.version = text
	return nil
}

// joinVersion ties a version behind --with-codex to it, where package flag wants it.
func joinVersion(args []string) []string {
	var out []string
	for _, a := range args {
		last := len(out) - 1
		if last >= 0 && (out[last] == "-with-codex" || out[last] == "--with-codex") && a != "" && a[0] >= '0' && a[0] <= '9' {
			out[last] += "=" + a
			continue
		}
		out = append(out, a)
	}
	return out
}
