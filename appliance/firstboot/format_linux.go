package firstboot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// formatter is where the image has it.
const formatter = "/sbin/mke2fs"

// piecemeal has mke2fs write zeros itself, in its environment. It would ask the kernel for
// all of a journal's at once, and where the card does that in one go, nobody could tell
// a slow card from one that hangs (e2fsprogs, lib/ext2fs/unix_io.c).
const piecemeal = "UNIX_IO_NOZEROOUT=1"

// Format runs mke2fs, which refuses a partition that is mounted. The journal is kept
// small: mke2fs fills it with zeros, at the card's speed.
func (m Machine) Format(p Place) error {
	ctx, cancel := context.WithTimeout(context.Background(), formatTime)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, formatter, append(FormatArguments(), "-J", "size=32", p.Device)...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), piecemeal)
	err := attend(ctx, begin(cmd), func() uint64 { return written(p.Device) }, m.alive)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("this image has no program for it: write the card anew")
	case errors.Is(err, errStuck):
		return fmt.Errorf("mke2fs: %w", err) // it may still say something
	case err != nil:
		return fmt.Errorf("mke2fs: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}

// begin runs a program that ends with this one: two that format are worse than none. The
// kernel goes by the thread that started it (prctl(2), PR_SET_PDEATHSIG).
func begin(cmd *exec.Cmd) (ended <-chan error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	end := make(chan error, 1)
	guarded.Go("program of the first boot", func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		end <- cmd.Run()
	}, func(err error) { end <- err })
	return end
}

// written counts the sectors that a partition's card has taken; 0, where that is not
// known (Documentation/block/stat.rst).
func written(device string) uint64 {
	text, err := os.ReadFile(filepath.Join(sysfs, "class/block", filepath.Base(device), "stat"))
	if err != nil {
		return 0
	}
	const at = 6
	if f := strings.Fields(string(text)); len(f) > at {
		n, _ := strconv.ParseUint(f[at], 10, 64)
		return n
	}
	return 0
}

func (m Machine) alive() {
	if m.Alive != nil {
		m.Alive()
	}
}
