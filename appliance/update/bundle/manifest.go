package bundle

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"golang.org/x/mod/semver"
)

// Format is the version of the format that this package reads and writes.
const Format = 1

// Sizes that nothing honest needs.
const (
	maxManifest  = 64 << 10
	maxSignature = 4 << 10
	maxRoot      = 4 << 30
)

// Manifest says what a bundle holds and for whom.
type Manifest struct {
	Format int `json:"format"`
	// Version is what the root calls itself, such as v1.2.3.
	Version string `json:"version"`
	// Minimum is the oldest version that a device takes once this one is settled.
	Minimum string `json:"minimum"`
	// Board is the kind of device, such as rpi; Arch is its GOARCH.
	Board string `json:"board"`
	Arch  string `json:"arch"`
	// Kernel is the one that the root was built for.
	Kernel Kernel `json:"kernel"`
	// Guard is the SHA-256 of the guard in the root, in hexadecimal.
	Guard string `json:"guard"`
	// Root is the root file system.
	Root Root `json:"root"`
}

// Kernel tells one kernel from another.
type Kernel struct {
	Release string `json:"release"` // what it calls itself, for people
	SHA256  string `json:"sha256"`  // of the file vmlinuz
}

// Root is the root file system as it stands in its partition.
type Root struct {
	Size   int64  `json:"size"` // bytes, unpacked
	SHA256 string `json:"sha256"`
}

// boardName is what a board may be called.
var boardName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// parseManifest reads a manifest whose signature was found good.
func parseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, fmt.Errorf("manifest: %w", err)
	}
	return m, m.check()
}

// check tells what is wrong with a manifest.
func (m Manifest) check() error {
	if m.Format != Format {
		return fmt.Errorf("manifest: the format is %d, this version reads %d", m.Format, Format)
	}
	var errs []error
	for name, version := range map[string]string{"version": m.Version, "minimum": m.Minimum} {
		if !semver.IsValid(version) {
			errs = append(errs, fmt.Errorf("manifest: %s is %q, not a version such as v1.2.3", name, version))
		}
	}
	for name, value := range map[string]string{"board": m.Board, "arch": m.Arch} {
		if !boardName.MatchString(value) {
			errs = append(errs, fmt.Errorf("manifest: %s is %q, not a name", name, value))
		}
	}
	for name, digest := range map[string]string{"kernel": m.Kernel.SHA256, "guard": m.Guard, "root": m.Root.SHA256} {
		if raw, err := hex.DecodeString(digest); err != nil || len(raw) != 32 {
			errs = append(errs, fmt.Errorf("manifest: %s has no SHA-256", name))
		}
	}
	if m.Root.Size <= 0 || m.Root.Size > maxRoot {
		errs = append(errs, fmt.Errorf("manifest: the root has %d bytes", m.Root.Size))
	}
	return errors.Join(errs...)
}
