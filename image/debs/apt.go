package debs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// apt is apt-get with folders of its own, which thinks that nothing is installed.
type apt struct {
	dir, arch string
}

func newApt(dir, arch string) (*apt, error) {
	a := &apt{dir, arch}
	for _, sub := range []string{"state/lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	return a, os.WriteFile(filepath.Join(dir, "status"), nil, 0o644)
}

// archives is where packages arrive.
func (a *apt) archives() string { return filepath.Join(a.dir, "cache", "archives") }

// run runs apt-get with these words.
func (a *apt) run(ctx context.Context, words ...string) error {
	args := []string{
		"-o", "Dir::State=" + filepath.Join(a.dir, "state"),
		"-o", "Dir::State::status=" + filepath.Join(a.dir, "status"),
		"-o", "Dir::Cache=" + filepath.Join(a.dir, "cache"),
		"-o", "APT::Architecture=" + a.arch, "-o", "APT::Architectures=" + a.arch,
		"-o", "Acquire::Languages=none", "-o", "Debug::NoLocking=1",
		"-o", "APT::Sandbox::User=", "-q", "-y",
	}
	cmd := exec.CommandContext(ctx, "apt-get", append(args, words...)...)
	cmd.Dir = a.archives()
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get %s: %w\n%s", words[0], err, out[max(0, len(out)-2000):])
	}
	return nil
}
