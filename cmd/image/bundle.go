package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/image/release"
)

// runBundle makes an update of an image, or the keys for that.
func runBundle(args []string, in io.Reader, out io.Writer) error {
	fs := flag.NewFlagSet("scripts/bundle", flag.ContinueOnError)
	fs.SetOutput(out)
	output := fs.String("o", "", "write the update to `FILE` (default: the image's name with .p64u)")
	keys := fs.String("keys", "", "the folder `DIR` has the pair of keys (default: prompt64 in the user's configuration folder)")
	makeKeys := fs.Bool("make-keys", false, "make the pair of keys, once; images that are built from then on believe in them")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *keys == "" {
		var err error
		if *keys, err = release.DefaultKeys(); err != nil {
			return err
		}
	}
	if *makeKeys {
		return runMakeKeys(*keys, in, out)
	}
	if fs.NArg() != 1 {
		return errors.New("name one image, such as prompt64-rpi.img")
	}
	if *output == "" {
		*output = strings.TrimSuffix(fs.Arg(0), filepath.Ext(fs.Arg(0))) + ".p64u"
	}
	m, err := release.Bundle(fs.Arg(0), *keys, "", *output)
	if errors.Is(err, release.ErrPassword) {
		var password string
		if password, err = askSecret(in, out, "Password of the private key: "); err != nil {
			return err
		}
		m, err = release.Bundle(fs.Arg(0), *keys, password, *output)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s updates a device of the kind %s to %s\n", *output, m.Board, m.Version)
	return nil
}

func runMakeKeys(dir string, in io.Reader, out io.Writer) error {
	password, err := askNewSecret(in, out, "Password for the private key (empty: none): ")
	if err != nil {
		return err
	}
	if err := release.MakeKeys(dir, password); err != nil {
		return err
	}
	fmt.Fprintf(out, "The keys are in %s. Keep update.key safe: who has it can install anything on your devices.\n", dir)
	return nil
}
