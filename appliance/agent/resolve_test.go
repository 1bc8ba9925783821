package agent

import (
	"net/url"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

func TestEmbeddedTableIsSound(t *testing.T) {
	known, err := Known()
	if err != nil {
		t.Fatal(err)
	}
	byVersion := map[string]map[Target]bool{}
	digests := map[fetch.Digest]bool{}
	for _, r := range known {
		if byVersion[r.Version] == nil {
			byVersion[r.Version] = map[Target]bool{}
		}
		byVersion[r.Version][r.Target] = true
		if digests[r.Digest] {
			t.Errorf("digest %s is there twice", r.Digest)
		}
		digests[r.Digest] = true
		address, err := r.address(r.Version)
		if !r.fetchable() {
			continue
		}
		if u, parseErr := url.Parse(address); err != nil || parseErr != nil || u.Scheme != "https" || strings.ContainsAny(address, "{}") {
			t.Errorf("%s %s: address %q, %v", r.Version, r.Target, address, err)
		}
	}
	for version, targets := range byVersion {
		if len(targets) != len(triples) {
			t.Errorf("version %s is known for %v only", version, targets)
		}
	}
}

func TestTableThatIsDamagedIsRefused(t *testing.T) {
	for _, line := range []string{
		"codex\t1.0",
		"codex\t1.0\tlinux\t" + strings.Repeat("0", 64) + "\t0\t0\thttps://x/",
		"codex\t1.0\tlinux/arm64\tnone\t0\t0\thttps://x/",
		"codex\t1.0\tlinux/arm64\t" + strings.Repeat("0", 64) + "\tmany\t0\thttps://x/",
		"codex\t1.0\tlinux/arm64\t" + strings.Repeat("0", 64) + "\t0\tmany\thttps://x/",
	} {
		if _, err := parseKnown("# comment\n\n" + line + "\n"); err == nil {
			t.Errorf("%q was taken", line)
		}
	}
}

func digest(n byte) fetch.Digest { return fetch.Digest{n} }

// table has a version of each kind.
var table = []Release{
	{Agent: Codex, Version: anyVersion, Target: pi, Source: "https://any/{version}/{triple}"},
	{Agent: Codex, Version: "3.0", Target: pi, Digest: digest(3), Bytes: 30, Source: "npm:codex@{version}-{arch}"},
	{Agent: Codex, Version: "2.0", Target: pi, Digest: digest(2), Bytes: 20, Unpacked: 60, Source: "https://known/{version}/{triple}"},
	{Agent: Codex, Version: "2.0", Target: pi, Digest: digest(22), Source: "npm:codex@{version}-{arch}"},
	{Agent: Codex, Version: "2.0", Target: Target{"linux", "amd64"}, Digest: digest(99), Source: "https://known/"},
}

func TestRequestIsResolvedByTheTable(t *testing.T) {
	own := digest(77)
	for name, c := range map[string]struct {
		req  Request
		want plan
	}{
		"nothing said":        {Request{}, plan{version: "2.0", from: "https://known/2.0/aarch64-unknown-linux-musl", digests: []fetch.Digest{digest(2)}}},
		"known":               {Request{Version: "2.0"}, plan{version: "2.0", from: "https://known/2.0/aarch64-unknown-linux-musl", digests: []fetch.Digest{digest(2)}}},
		"known, own source":   {Request{Version: "2.0", From: "file"}, plan{version: "2.0", from: "file", digests: []fetch.Digest{digest(2), digest(22)}}},
		"known, own digest":   {Request{Version: "2.0", Digest: &own}, plan{version: "2.0", from: "https://any/2.0/aarch64-unknown-linux-musl", digests: []fetch.Digest{own}}},
		"package from a file": {Request{Version: "3.0", From: "file"}, plan{version: "3.0", from: "file", digests: []fetch.Digest{digest(3)}}},
		"unknown with digest": {Request{Version: "4.0", Digest: &own}, plan{version: "4.0", from: "https://any/4.0/aarch64-unknown-linux-musl", digests: []fetch.Digest{own}}},
		"all said":            {Request{Version: "4.0", From: "file", Digest: &own}, plan{version: "4.0", from: "file", digests: []fetch.Digest{own}}},
	} {
		c.req.Agent = Codex
		got, err := resolve(c.req, pi, table)
		if err != nil || got.version != c.want.version || got.from != c.want.from || words(got.digests) != words(c.want.digests) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, c.want)
		}
	}
}

func TestRequestThatCannotBeIsRefusedInWords(t *testing.T) {
	own := digest(77)
	for name, c := range map[string]struct {
		req    Request
		target Target
		words  string
	}{
		"another agent":      {Request{Agent: "nobody"}, pi, "the one that can be installed is codex"},
		"32 bits":            {Request{Agent: Codex}, Target{"linux", "arm"}, "use a 64-bit system"},
		"another system":     {Request{Agent: Codex}, Target{"plan9", "amd64"}, "serve -codex"},
		"unknown":            {Request{Agent: Codex, Version: "4.0"}, pi, "not among the known versions (3.0, 2.0)"},
		"unknown from file":  {Request{Agent: Codex, Version: "4.0", From: "x"}, pi, "give the archive's digest with -sha256"},
		"package":            {Request{Agent: Codex, Version: "3.0"}, pi, `"npm pack codex@3.0-arm64"`},
		"file of no version": {Request{Agent: Codex, From: "x"}, pi, "-version"},
		"no version":         {Request{Agent: Codex, Digest: &own}, pi, "-version"},
		"path as version":    {Request{Agent: Codex, Version: "../x", Digest: &own}, pi, "is no version"},
	} {
		if _, err := resolve(c.req, c.target, table); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", name, err, c.words)
		}
	}
}
