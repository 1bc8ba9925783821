//go:build !linux

// Command soak looks into /proc: it is for Linux.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "soak: this is for Linux")
	os.Exit(2)
}
