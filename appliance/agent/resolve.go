package agent

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

// Codex is the name of the agent that can be installed.
const Codex = "codex"

// Request says what to install.
type Request struct {
	Agent   string
	Version string        // empty: the newest known one that can be fetched
	From    string        // a file or an address; empty: the known source
	Digest  *fetch.Digest // nil: the known one
}

// plan is a request with everything decided.
type plan struct {
	agent, version, triple string
	from                   string         // a file or an address
	digests                []fetch.Digest // one of them must fit
	bytes, unpacked        int64          // 0 if unknown
}

var versionForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$`)

// resolve decides what a request leaves open.
func resolve(req Request, target Target, table []Release) (plan, error) {
	if req.Agent != Codex {
		return plan{}, noSuchAgent(req.Agent)
	}
	triple, err := target.triple()
	if err != nil {
		return plan{}, err
	}
	fitting := slices.DeleteFunc(slices.Clone(table), func(r Release) bool {
		return r.Agent != req.Agent || r.Target != target
	})
	if req.Version == "" {
		if req.Version, err = newest(fitting, req); err != nil {
			return plan{}, err
		}
	}
	if !versionForm.MatchString(req.Version) {
		return plan{}, fmt.Errorf("%q is no version: write it as 0.160.0", req.Version)
	}
	p := plan{agent: req.Agent, version: req.Version, triple: triple, from: req.From}
	return p, p.choose(req, fitting)
}

func noSuchAgent(name string) error {
	return fmt.Errorf("there is no agent %q to install: the one that can be installed is %s", name, Codex)
}

// newest returns the first known version that can be fetched.
func newest(table []Release, req Request) (string, error) {
	if req.From != "" || req.Digest != nil {
		return "", errors.New("say with -version which version it is")
	}
	i := slices.IndexFunc(table, func(r Release) bool { return r.Version != anyVersion && r.fetchable() })
	if i < 0 {
		return "", errors.New("no known version can be fetched: say which with -version, -from and -sha256")
	}
	return table[i].Version, nil
}

// choose fills in the digests and the source.
func (p *plan) choose(req Request, table []Release) error {
	known := slices.DeleteFunc(slices.Clone(table), func(r Release) bool { return r.Version != p.version })
	switch {
	case req.Digest != nil:
		p.digests = []fetch.Digest{*req.Digest}
		known = slices.DeleteFunc(known, func(r Release) bool { return r.Digest != *req.Digest })
	case len(known) == 0:
		return fmt.Errorf("%s %s is not among the known versions (%s): name one of them, or give the archive's digest with -sha256",
			p.agent, p.version, strings.Join(versionsOf(table), ", "))
	}
	for _, r := range known {
		p.digests = append(p.digests, r.Digest)
		p.bytes, p.unpacked = max(p.bytes, r.Bytes), max(p.unpacked, r.Unpacked)
	}
	if p.from != "" {
		return nil
	}
	if len(known) == 0 { // the source of what is not listed
		known = slices.DeleteFunc(slices.Clone(table), func(r Release) bool { return r.Version != anyVersion })
	}
	if len(known) == 0 {
		return errors.New("say with -from where the archive is")
	}
	source := known[0]
	if i := slices.IndexFunc(known, Release.fetchable); i >= 0 {
		source = known[i]
	}
	if req.Digest == nil { // what is fetched has this one digest
		p.digests = []fetch.Digest{source.Digest}
	}
	var err error
	p.from, err = source.address(p.version)
	return err
}

func versionsOf(table []Release) []string {
	var versions []string
	for _, r := range table {
		if r.Version != anyVersion && !slices.Contains(versions, r.Version) {
			versions = append(versions, r.Version)
		}
	}
	return versions
}
