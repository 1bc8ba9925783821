package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/gpt"
)

// permID is the file system's identifier. It is a constant, as is everything else that
// is on every card.
const permID = "50724f4d-5054-4634-8064-000000007065"

// makePerm formats the last partition, with a folder's content if one is given. All
// of it belongs to root, whoever builds.
func makePerm(ctx context.Context, path string, p gpt.Partition, folder string) error {
	args := append(firstboot.FormatArguments(fmt.Sprintf("offset=%d", p.Offset()), "hash_seed="+permID), "-F", "-U", permID)
	if folder != "" {
		args = append(args, "-d", folder)
	}
	args = append(args, path, strconv.FormatInt(p.Bytes()/firstboot.PermBlock, 10))
	if out, err := exec.CommandContext(ctx, systemTool("mke2fs"), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("format /perm: %w: %s (mke2fs is in the package e2fsprogs)", err, tail(out, 1000))
	}
	if folder == "" {
		return nil
	}
	return giveToRoot(ctx, path, p, folder)
}

// giveToRoot makes root the owner of all that came from a folder: mke2fs keeps the
// owner that a file has on this computer, and a plain user cannot change that.
func giveToRoot(ctx context.Context, path string, p gpt.Partition, folder string) error {
	var script strings.Builder
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(folder, name)
		if strings.ContainsAny(inside, "\"\n") {
			return fmt.Errorf("no file of /perm may be called %q", inside)
		}
		for _, field := range []string{"uid", "gid"} {
			fmt.Fprintf(&script, "set_inode_field \"/%s\" %s 0\n", inside, field)
		}
		return err
	})
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, systemTool("debugfs"), "-w", "-f", "-", fmt.Sprintf("%s?offset=%d", path, p.Offset()))
	cmd.Stdin = strings.NewReader(script.String())
	var said strings.Builder // debugfs ends well whatever became of a line
	cmd.Stderr = &said
	err = cmd.Run()
	lines := complaints(said.String())
	if err == nil && lines != "" {
		err = errors.New("not all could be changed")
	}
	if err != nil {
		return fmt.Errorf("give /perm to root: %w: %s (debugfs is in the package e2fsprogs)", err, tail([]byte(lines), 1000))
	}
	return nil
}

// complaints are debugfs's lines but for the one with its version.
func complaints(said string) string {
	_, rest, _ := strings.Cut(said, "\n")
	return strings.TrimSpace(rest)
}

// systemTool finds a program that is not on the path of a plain user on Debian.
func systemTool(name string) string {
	if found, err := exec.LookPath(name); err == nil {
		return found
	}
	if _, err := os.Stat("/sbin/" + name); err == nil {
		return "/sbin/" + name
	}
	return name
}
