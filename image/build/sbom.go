package build

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// billName is where the device has the list of what it is made of.
const billName = "usr/share/prompt64/sbom.json"

// bill is a software bill of materials, in CycloneDX's form.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   billMeta    `json:"metadata"`
	Components []component `json:"components"`
}

type billMeta struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

// component is a Go module, a Debian package or a file.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PURL    string `json:"purl,omitempty"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

func sha256Of(digest string) []hash { return []hash{{"SHA-256", digest}} }

// newBill lists the Go modules whose code is in the programs, the kernel and the
// firmware, Go itself, the Debian packages, and the radios' firmware.
func newBill(ctx context.Context, o Options, in *instance, files *rootFiles, date time.Time) (*bill, error) {
	modules, err := goModules(ctx, o, in)
	if err != nil {
		return nil, err
	}
	b := &bill{Format: "CycloneDX", Spec: "1.5", Version: 1}
	b.Metadata.Timestamp = date.Format(time.RFC3339)
	b.Metadata.Component = component{Type: "operating-system", Name: "prompt64-" + o.Board.Name, Version: o.Version}
	b.Components = append(modules, component{Type: "application", Name: "go", Version: runtime.Version()})
	b.Components = append(b.Components, files.packages...)
	list, err := radios()
	if err != nil {
		return nil, err
	}
	b.Components = append(b.Components, files.firmware(list)...)
	slices.SortStableFunc(b.Components, func(a, b component) int { return cmp.Compare(a.Type+a.Name, b.Type+b.Name) })
	return b, nil
}

// encode is the list as a file.
func (b *bill) encode() ([]byte, error) {
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

// goModules asks Go which modules the programs of the image are linked from.
func goModules(ctx context.Context, o Options, in *instance) ([]component, error) {
	paths := []string{"github.com/gokrazy/gokrazy"}
	for _, key := range []string{"Packages", "GokrazyPackages", "KernelPackage", "FirmwarePackage"} {
		switch v := in.config[key].(type) {
		case string:
			if v != "" {
				paths = append(paths, v)
			}
		case []string:
			paths = append(paths, v...)
		case []any:
			for _, p := range v {
				paths = append(paths, fmt.Sprint(p))
			}
		}
	}
	args := append([]string{"list", "-deps", "-tags", "gokrazy,netgo,osusergo", "-f",
		"{{with .Module}}{{.Path}} {{.Version}}{{end}}"}, paths...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(in.folder(), "builddir")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+o.Board.Arch, "CGO_ENABLED=0", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the programs' modules: %w", err)
	}
	lines := slices.Compact(slices.Sorted(strings.Lines(string(out))))
	var modules []component
	for _, line := range lines {
		name, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" {
			continue
		}
		c := component{Type: "library", Name: name, Version: version, PURL: "pkg:golang/" + name}
		if version == "" {
			c.Version = o.Version
		} else {
			c.PURL += "@" + version
		}
		modules = append(modules, c)
	}
	return modules, nil
}
