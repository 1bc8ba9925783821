package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/debs"
)

// lockFile pins the Debian packages of the image.
const lockFile = "image/debs/lock.tsv"

// renewLock pins what apt's sources have today.
func renewLock(ctx context.Context, out io.Writer) error {
	cache, err := build.DefaultCache()
	if err != nil {
		return err
	}
	text, err := debs.Renew(ctx, build.PackageCache(cache), "amd64", "arm64")
	if err != nil {
		return err
	}
	if err := os.WriteFile(lockFile, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is renewed: build and test the images, and look at what changed\n", lockFile)
	return nil
}
