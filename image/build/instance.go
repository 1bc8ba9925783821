package build

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The import paths of the bridge and of guard.
const (
	program = "github.com/prompt64/prompt64/cmd/prompt64"
	guard   = "github.com/prompt64/prompt64/cmd/guard"
)

// stampFlag is the linker's flag that tells the program its version.
const stampFlag = "-X main.stamped="

// instance is a gokrazy instance: a folder with a config.json, and builddir,
// through which the packer finds the project's go.mod.
type instance struct {
	parent, name string
	config       map[string]any
}

// newInstance copies the board's instance into a temporary folder and puts into it
// what only this build knows. The folder's name is always the same: it is in the
// SBOM.
func newInstance(o Options, parent string) (*instance, error) {
	in := &instance{parent: parent, name: "instance"}
	text, err := os.ReadFile(filepath.Join(o.Project, o.Board.Instance, "config.json"))
	if err != nil {
		return nil, fmt.Errorf("read the board's instance: %w", err)
	}
	if err := json.Unmarshal(text, &in.config); err != nil {
		return nil, fmt.Errorf("read the instance of %s: %w", o.Board.Name, err)
	}
	in.choosePrograms(o.Programs)
	own := in.packageConfig(program)
	if o.Version != "" {
		if strings.ContainsAny(o.Version, " '\"\t\n") {
			return nil, fmt.Errorf("version %q: it is one word", o.Version)
		}
		own["GoBuildFlags"] = []string{"-ldflags=-s " + stampFlag + o.Version}
	}
	// The packer knows extra files only with a program.
	switch programs, _ := in.config["Packages"].([]string); {
	case slices.Contains(programs, program):
		own["ExtraFilePaths"] = map[string]string{"/": extraName}
	case slices.Contains(programs, guard): // a test has something else in the bridge's place
		in.packageConfig(guard)["ExtraFilePaths"] = map[string]string{"/": extraName}
	default:
		delete(in.config, "PackageConfig")
	}
	if err := os.Mkdir(in.folder(), 0o755); err != nil {
		return nil, err
	}
	return in, os.Symlink(o.Project, filepath.Join(in.folder(), "builddir"))
}

// extraName is what the packer looks for as extra_ARCH.tar.
const extraName = "extra"

func (in *instance) folder() string { return filepath.Join(in.parent, in.name) }

func (in *instance) packageConfig(path string) map[string]any {
	all, ok := in.config["PackageConfig"].(map[string]any)
	if !ok {
		all = map[string]any{}
		in.config["PackageConfig"] = all
	}
	one, ok := all[path].(map[string]any)
	if !ok {
		one = map[string]any{}
		all[path] = one
	}
	return one
}

// choosePrograms adds import paths, and takes away those with a minus.
func (in *instance) choosePrograms(changes []string) {
	old, _ := in.config["Packages"].([]any)
	var paths []string
	for _, p := range old {
		if s, ok := p.(string); ok && !slices.Contains(changes, "-"+s) {
			paths = append(paths, s)
		}
	}
	for _, c := range changes {
		if !strings.HasPrefix(c, "-") {
			paths = append(paths, c)
		}
	}
	in.config["Packages"] = paths
}

// save writes the config.json that the packer reads.
func (in *instance) save() error {
	text, err := json.MarshalIndent(in.config, "", "    ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(in.folder(), "config.json"), append(text, '\n'), 0o644)
}
