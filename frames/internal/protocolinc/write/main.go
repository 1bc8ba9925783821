// Command write generates the assembler's include file: run it by
// "go generate ./frames/...", which sets the folder and the target.
package main

import (
	"fmt"
	"os"

	"github.com/prompt64/prompt64/frames/internal/protocolinc"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("write: want the file to write as the only argument, got %d", len(args))
	}
	b, err := protocolinc.Generate(".")
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], b, 0o644)
}
