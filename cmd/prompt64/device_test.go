package main

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"testing"
)

// The device's instance passes this program a command line that nobody types,
// so only a test notices a flag that went away.
func TestDeviceStartsTheBridgeWithFlagsThatExist(t *testing.T) {
	const program = "github.com/prompt64/prompt64/cmd/prompt64"
	text, err := os.ReadFile("../../config.json")
	if err != nil {
		t.Fatal(err)
	}
	var instance struct {
		Hostname      string
		Packages      []string
		PackageConfig map[string]struct{ CommandLineFlags []string }
	}
	if err := json.Unmarshal(text, &instance); err != nil {
		t.Fatal(err)
	}
	if instance.Hostname != "prompt64" || !slices.Contains(instance.Packages, program) {
		t.Errorf("hostname %q, packages %q", instance.Hostname, instance.Packages)
	}
	args := instance.PackageConfig[program].CommandLineFlags
	if len(args) == 0 || args[0] != serveCommand.name {
		t.Fatalf("the device runs %q", args)
	}
	o, err := parseServe(streams{out: io.Discard, err: io.Discard}, args[1:])
	if err != nil {
		t.Fatal(err)
	}
	if o.data != "/perm/prompt64" || o.listen != ":6464" || o.web != ":80" {
		t.Errorf("options %+v", o)
	}
}
