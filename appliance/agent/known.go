package agent

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

//go:embed known.tsv
var knownTable string

// anyVersion stands in the table for versions that it does not list.
const anyVersion = "*"

// Release is an archive that is known to be good.
type Release struct {
	Agent, Version string
	Target         Target
	Digest         fetch.Digest
	Bytes          int64 // 0 if unknown
	Unpacked       int64 // 0 if unknown
	Source         string
}

// Known returns the archives that are known to be good, newest first.
func Known() ([]Release, error) {
	all, err := parseKnown(knownTable)
	return slices.DeleteFunc(all, func(r Release) bool { return r.Version == anyVersion }), err
}

// Offered is the version that an installation takes where no other is asked for, empty
// if none can be fetched for a machine.
func Offered(agent string, t Target) (string, error) {
	all, err := Known()
	if err != nil {
		return "", err
	}
	fitting := slices.DeleteFunc(all, func(r Release) bool { return r.Agent != agent || r.Target != t })
	return newest(fitting, Request{})
}

func parseKnown(table string) ([]Release, error) {
	var releases []Release
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parseRelease(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("table of known versions: %q: %w", line, err)
		}
		releases = append(releases, r)
	}
	return releases, nil
}

func parseRelease(fields []string) (Release, error) {
	if len(fields) != 7 {
		return Release{}, fmt.Errorf("%d fields", len(fields))
	}
	r := Release{Agent: fields[0], Version: fields[1], Source: fields[6]}
	os, arch, ok := strings.Cut(fields[2], "/")
	if r.Target = (Target{os, arch}); !ok {
		return r, fmt.Errorf("target %q", fields[2])
	}
	var err error
	if r.Version != anyVersion {
		if r.Digest, err = fetch.ParseDigest(fields[3]); err != nil {
			return r, err
		}
	}
	if r.Bytes, err = strconv.ParseInt(fields[4], 10, 64); err != nil {
		return r, err
	}
	r.Unpacked, err = strconv.ParseInt(fields[5], 10, 64)
	return r, err
}

// address returns where the archive is fetched, or what to do where only a
// person can fetch it.
func (r Release) address(version string) (string, error) {
	triple, err := r.Target.triple()
	if err != nil {
		return "", err
	}
	source := strings.NewReplacer(
		"{version}", version, "{triple}", triple, "{arch}", nodeArchs[r.Target.Arch],
	).Replace(r.Source)
	if name, ok := strings.CutPrefix(source, "npm:"); ok {
		return "", fmt.Errorf("the known archive of %s %s is an npm package: fetch it with \"npm pack %s\" and name the file with -from", r.Agent, version, name)
	}
	return source, nil
}

// fetchable reports whether the archive has an address.
func (r Release) fetchable() bool { return !strings.HasPrefix(r.Source, "npm:") }

// Package is the npm package that has the archive, such as NAME@VERSION; empty for
// an archive with an address.
func (r Release) Package() string {
	name, ok := strings.CutPrefix(r.Source, "npm:")
	if !ok {
		return ""
	}
	return strings.NewReplacer("{version}", r.Version, "{arch}", nodeArchs[r.Target.Arch]).Replace(name)
}
