package build

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstanceIsTheBoardsWithThisBuildsVersion(t *testing.T) {
	board, err := BoardNamed("qemu-amd64")
	if err != nil {
		t.Fatal(err)
	}
	const extra = "example.org/hello"
	o := Options{Project: "../..", Board: board, Version: "v1.2.3", Programs: []string{extra, "-" + guard}}
	in, err := newInstance(o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := in.save(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(in.folder(), "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Packages      []string
		KernelPackage string
		PackageConfig map[string]struct {
			GoBuildFlags   []string
			ExtraFilePaths map[string]string
		}
	}
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	if p := strings.Join(config.Packages, " "); !strings.Contains(p, extra) || strings.Contains(p, guard) {
		t.Errorf("programs %s", p)
	}
	own := config.PackageConfig[program]
	if len(own.GoBuildFlags) != 1 || !strings.HasSuffix(own.GoBuildFlags[0], stampFlag+"v1.2.3") {
		t.Errorf("%+v", own)
	}
	if own.ExtraFilePaths["/"] != extraName {
		t.Errorf("no program brings the extra files: %+v", own)
	}
	if to, err := os.Readlink(filepath.Join(in.folder(), "builddir")); err != nil || to != o.Project {
		t.Errorf("builddir leads to %q, %v", to, err)
	}
	o.Version = `v1 -X main.evil=1`
	if _, err := newInstance(o, t.TempDir()); err == nil {
		t.Error("a version may be more than one word")
	}
}

func TestExtraFilesComeWithGuardWhereTheBridgeIsLeftOut(t *testing.T) {
	board, err := BoardNamed("qemu-amd64")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		leave []string
		want  string
	}{{nil, program}, {[]string{"-" + program}, guard}, {[]string{"-" + program, "-" + guard}, ""}} {
		in, err := newInstance(Options{Project: "../..", Board: board, Programs: c.leave}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{program, guard} {
			if _, has := in.packageConfig(p)["ExtraFilePaths"]; has != (p == c.want) {
				t.Errorf("without %q, %s brings the extra files: %v", c.leave, p, has)
			}
		}
	}
}
