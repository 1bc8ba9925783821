//go:build !linux

package workspace

import (
	"errors"
	"os/exec"
)

// errNoLandlock says that there is no second wall on this system.
var errNoLandlock = errors.New("no landlock")

func (b *box) startConfined(*exec.Cmd) error { return errNoLandlock }
