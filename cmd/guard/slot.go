package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// rootArg is how gokrazy's packer names the root partition to the kernel, counted
// from the first partition.
var rootArg = regexp.MustCompile(`\broot=\S+/PARTNROFF=([0-9]+)`)

// namedRoot is the number of the partition that a command line names; 0: none.
func namedRoot(line string) int {
	found := rootArg.FindStringSubmatch(line)
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return n + 1
}

// card is where the running root lies.
type card struct {
	running int    // the number of its partition
	boot    string // the device of the first partition
}

// findCard finds it by the device numbers of the root; sys is /sys.
func findCard(sys string, major, minor uint32) (card, error) {
	root, err := filepath.EvalSymlinks(filepath.Join(sys, "dev/block", fmt.Sprintf("%d:%d", major, minor)))
	if err != nil {
		return card{}, err
	}
	c := card{running: partition(root)}
	others, err := os.ReadDir(filepath.Dir(root))
	if err != nil {
		return card{}, err
	}
	for _, o := range others {
		if partition(filepath.Join(filepath.Dir(root), o.Name())) == 1 {
			c.boot = filepath.Join("/dev", o.Name())
		}
	}
	if c.running == 0 || c.boot == "" {
		return card{}, errors.New("the system does not run from a card")
	}
	return c, nil
}

// partition is the number of a partition by its folder in /sys; 0: it is none.
func partition(folder string) int {
	text, err := os.ReadFile(filepath.Join(folder, "partition"))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

// bootFiles are what decides on the next start.
var bootFiles = []string{"cmdline.txt", "loader/entries/gokrazy.conf"}

// commits tells whether the boot files in a folder name a root for every start.
func commits(dir string, root int) (bool, error) {
	for _, name := range bootFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, err
		}
		if namedRoot(string(text)) != root {
			return false, nil
		}
	}
	return true, nil
}
