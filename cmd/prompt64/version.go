package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/prompt64/prompt64/frames"
)

var versionCommand command

func init() {
	versionCommand = command{
		name:    "version",
		summary: "Prints the program's version and the protocol that it speaks.",
		run:     runVersion,
	}
}

func runVersion(s streams, args []string) error {
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	if err := parse(s, versionCommand, fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return usagef("takes no arguments")
	}
	fmt.Fprintf(s.out, "prompt64 %s, %s, %s %s/%s\n", version(), frames.Greeting,
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// stamped is the version that an image was built with, by the linker's -X.
var stamped string

// version is what the build recorded: the image's version, a release's tag, or the
// revision.
func version() string {
	if stamped != "" {
		return stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && info.Main.Version == "(devel)" && len(setting.Value) >= 12 {
			return setting.Value[:12]
		}
	}
	if info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
