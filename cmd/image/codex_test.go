package main

import (
	"strings"
	"testing"
)

func TestCodexIsAskedForWithOrWithoutAVersion(t *testing.T) {
	digest := strings.Repeat("0f", 32)
	for _, c := range []struct {
		args                     []string
		wanted                   bool
		version, archive, digest string
		wifi                     bool
	}{
		{nil, false, "", "", "", false},
		{[]string{"--with-codex"}, true, "", "", "", false},
		{[]string{"--with-codex", "0.171.0", "--board", "qemu-arm64"}, true, "0.171.0", "", "", false},
		{[]string{"-with-codex=0.171.0"}, true, "0.171.0", "", "", false},
		{[]string{"--with-codex=false"}, false, "", "", "", false},
		{[]string{"--codex-archive", "x.tgz"}, true, "", "x.tgz", "", false},
		{[]string{"--with-codex", "9.9.9", "--codex-sha256", digest}, true, "9.9.9", "", digest, false},
		{[]string{"--wifi", "home", "12345678", "DE", "--with-codex", "--board", "rpi"}, true, "", "", "", true},
		{[]string{"--with-codex", "0.171.0", "--wifi", "home", "12345678"}, true, "0.171.0", "", "", true},
	} {
		got, err := parse(t, "", c.args...)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		codex := got.options.Codex
		if (codex != nil) != c.wanted || (got.options.Settings != nil) != c.wifi {
			t.Errorf("%q: %+v", c.args, got.options)
			continue
		}
		if codex == nil {
			continue
		}
		if codex.Version != c.version || codex.Archive != c.archive || (codex.Digest != nil) != (c.digest != "") {
			t.Errorf("%q: %+v", c.args, codex)
		}
		if codex.Digest != nil && codex.Digest.String() != c.digest {
			t.Errorf("%q: the digest %s", c.args, codex.Digest)
		}
	}
	for _, bad := range [][]string{{"--codex-sha256", "12"}, {"--with-codex", "latest"}} {
		if _, err := parse(t, "", bad...); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
