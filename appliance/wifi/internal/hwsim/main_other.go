//go:build !linux

// Command hwsim is the first process of a virtual machine, for a test on Linux.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "hwsim: this is for Linux")
	os.Exit(2)
}
