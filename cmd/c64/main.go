// Command c64 is a C64 with an Ultimate in the terminal. It runs the project's
// program (or another one that needs no ROM) with the picture in colour, or,
// with -script, without a terminal as a test does.
//
// It is no general emulator: see package machine for what is not modelled.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its surroundings given; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = start(o, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "c64:", err)
		return 1
	}
	return 0
}
