package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	packerModule  = "github.com/gokrazy/tools"
	packerCommand = packerModule + "/cmd/gok"
	packerSources = "internal/packer"
)

// change is what a source file of the packer has in place of something else, and
// how often, so that a newer version of it is noticed here and not in a test.
type change struct {
	file, old, new string
	times          int
}

// changes take the computer that builds out of the image.
var changes = []change{
	{"write.go", "time.Now()", "sourceDate()", 7},
	{"write.go", ", st.ModTime()", ", sourceDateOf(st)", 3},
	{"packerprepare.go", "time.Now()", "sourceDate()", 1},
	{"cacerts_linux.go", `"/etc/`, `"/nowhere/`, 5},
	{"sbom.go", "config.InstanceConfigPath()", `"config.json"`, 1},
	{"localtime.go", `"/etc/localtime"`, `os.Getenv("PACKER_LOCALTIME")`, 1},
}

// clock is the file that the packer gets in addition.
const clock = `package packer

import (
	"os"
	"strconv"
	"time"
)

func sourceDate() time.Time {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		panic("SOURCE_DATE_EPOCH is not set")
	}
	return time.Unix(seconds, 0).UTC()
}

func sourceDateOf(any) time.Time { return sourceDate() }
`

// buildPacker compiles the packer from a changed copy of its sources, with the
// versions of everything else from the project's go.mod. Go's build cache makes the
// second time quick.
func buildPacker(ctx context.Context, o Options, temp string) (string, error) {
	out, err := goCommand(ctx, o.Project, "mod", "download", "-json", packerModule)
	if err != nil {
		return "", err
	}
	var module struct{ Dir, Version string }
	if err := json.Unmarshal([]byte(out), &module); err != nil {
		return "", err
	}
	sources := filepath.Join(temp, "packer")
	if err := os.CopyFS(sources, os.DirFS(module.Dir)); err != nil {
		return "", fmt.Errorf("copy the packer's sources: %w", err)
	}
	if err := changeSources(filepath.Join(sources, packerSources)); err != nil {
		return "", fmt.Errorf("change the packer %s: %w", module.Version, err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(o.Project, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(temp, name), text, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	mod := filepath.Join(temp, "go.mod")
	if _, err := goCommand(ctx, o.Project, "mod", "edit", "-replace", packerModule+"="+sources, mod); err != nil {
		return "", err
	}
	bin := filepath.Join(temp, "gok")
	_, err = goCommand(ctx, o.Project, "build", "-mod=mod", "-modfile", mod, "-trimpath", "-buildvcs=false", "-o", bin, packerCommand)
	return bin, err
}

// changeSources makes the changes in a folder.
func changeSources(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "sourcedate.go"), []byte(clock), 0o644); err != nil {
		return err
	}
	for _, c := range changes {
		at := filepath.Join(dir, c.file)
		b, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		text := string(b)
		if n := strings.Count(text, c.old); n != c.times {
			return fmt.Errorf("%s has %q %d times, not %d: this version must be looked at anew", c.file, c.old, n, c.times)
		}
		text = strings.ReplaceAll(text, c.old, c.new)
		if !strings.Contains(text, "time.") {
			text = strings.Replace(text, "\t\"time\"\n", "", 1)
		}
		if err := os.Chmod(at, 0o644); err != nil { // the module cache is read-only
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pack runs the packer on an instance; the image comes out at path.
func pack(ctx context.Context, o Options, bin string, in *instance, localtime, path string, date time.Time) error {
	cmd := exec.CommandContext(ctx, bin, "--parent_dir", in.parent, "-i", in.name,
		"overwrite", "--full="+path, "--target_storage_bytes="+strconv.FormatInt(o.Bytes, 10))
	cmd.Dir = in.parent
	cmd.Env = append(os.Environ(),
		"SOURCE_DATE_EPOCH="+strconv.FormatInt(date.Unix(), 10),
		"PACKER_LOCALTIME="+localtime,
		"GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "TZ=UTC")
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("gokrazy's packer: %w\n%s", err, tail(log.Bytes(), 4000))
	}
	return nil
}

// goCommand runs the go command in the project and returns what it prints.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", fmt.Errorf("go %s: %w\n%s", args[0], err, tail(exit.Stderr, 2000))
		}
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }
