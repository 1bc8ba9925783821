package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/release"
)

// The versions that updates are tried with. The bad one has the program of
// image/internal/bad in the bridge's place.
const (
	oldVersion   = "v0.1.0"
	newVersion   = "v0.2.0"
	newerVersion = "v0.3.0"
	badVersion   = "v0.9.0"
)

// password is that of the device's pages.
const password = "open sesame"

// ownerFile is what the owner of the devices that are updated drops on the boot
// partition.
const ownerFile = `{"version": 1, "password": "` + password + `", "pairing": {"code": "ABCD2345", "allow": ["10.0.2.0/24"]}}`

const (
	bridgeProgram = "github.com/prompt64/prompt64/cmd/prompt64"
	badProgram    = "github.com/prompt64/prompt64/image/internal/bad/prompt64"
)

// made is a version as its maker has it.
type made struct {
	image, bundle string
	manifest      bundle.Manifest
}

// releases are lean images: what the agent needs has no part in updates.
var releases = map[string]func() (made, error){
	oldVersion:   sync.OnceValues(func() (made, error) { return makeRelease(oldVersion) }),
	newVersion:   sync.OnceValues(func() (made, error) { return makeRelease(newVersion) }),
	newerVersion: sync.OnceValues(func() (made, error) { return makeRelease(newerVersion) }),
	badVersion:   sync.OnceValues(func() (made, error) { return makeRelease(badVersion, badProgram, "-"+bridgeProgram) }),
}

func releaseOf(t *testing.T, version string) made {
	t.Helper()
	m, err := releases[version]()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// workshop is the maker's folder. PROMPT64_IMAGES names one that is kept, with what
// is in it, for somebody who works on these tests: an image takes minutes.
func workshop() string {
	if dir := os.Getenv("PROMPT64_IMAGES"); dir != "" {
		return dir
	}
	return shared
}

// keys is the folder of the maker's keys.
var keys = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(workshop(), "keys")
	if _, err := os.Stat(filepath.Join(dir, release.PublicName)); err == nil {
		return dir, nil
	}
	return dir, release.MakeKeys(dir, "")
})

func makeRelease(version string, programs ...string) (made, error) {
	keys, err := keys()
	if err != nil {
		return made{}, err
	}
	board, err := build.BoardNamed("qemu-amd64")
	if err != nil {
		return made{}, err
	}
	m := made{image: filepath.Join(workshop(), version+".img"), bundle: filepath.Join(workshop(), version+".p64u")}
	if _, err := os.Stat(m.image); errors.Is(err, fs.ErrNotExist) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		start := time.Now()
		_, err := build.Build(ctx, build.Options{
			Project: "..", Board: board, Output: m.image, Version: version, Keys: keys,
			Settings: []byte(ownerFile), Programs: programs,
		})
		if err != nil {
			return made{}, err
		}
		fmt.Printf("built %s in %.0f s\n", version, time.Since(start).Seconds())
	}
	m.manifest, err = release.Bundle(m.image, keys, "", m.bundle)
	return m, err
}
