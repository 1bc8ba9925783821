// Command image builds the image of a card. See scripts/image.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/release"
)

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdin, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// run builds what the command line says.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) == 1 && args[0] == "lock" {
		return renewLock(ctx, out)
	}
	if len(args) > 0 && args[0] == "bundle" {
		return runBundle(args[1:], in, out)
	}
	c, err := parseCommand(args, in, out)
	if err != nil {
		return err
	}
	// Not before: a question ends with Ctrl-C at once.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	start := time.Now()
	c.options.Note = func(format string, args ...any) {
		fmt.Fprintf(out, "%4.0f s  %s\n", time.Since(start).Seconds(), fmt.Sprintf(format, args...))
	}
	r, err := build.Build(ctx, c.options)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%4.0f s  %s is ready; what it is made of: %s\n", time.Since(start).Seconds(), r.Image, r.SBOM)
	for _, m := range r.Missing {
		fmt.Fprintf(out, "        note: %s\n", m)
	}
	if c.wifi && c.options.Firmware.Declined {
		fmt.Fprintln(out, "        note: the image has no firmware for radios: the card knows the Wi-Fi network and cannot join it")
	}
	if c.wifi {
		fmt.Fprintln(out, "        note: the image holds the Wi-Fi key until the device has started once: do not pass it on")
	}
	return nil
}

// command is what the command line says.
type command struct {
	options build.Options
	wifi    bool
}

func parseCommand(args []string, in io.Reader, out io.Writer) (command, error) {
	var c command
	fs := flag.NewFlagSet("scripts/image", flag.ContinueOnError)
	fs.SetOutput(out)
	board := fs.String("board", "rpi", "build for `BOARD`: rpi, qemu-amd64 or qemu-arm64")
	fs.StringVar(&c.options.Project, "project", ".", "the project's top `FOLDER`")
	fs.StringVar(&c.options.Output, "o", "", "write the image to `FILE` (default: prompt64-BOARD.img)")
	fs.StringVar(&c.options.Version, "version", "", "the image's `VERSION`, such as v1.2.3 (default: one made of the commit)")
	firmware := fs.String("firmware", "", "take the radios' firmware from `DIR`, or leave it out: none (default: it is downloaded; see image/build/firmware.tsv)")
	fs.StringVar(&c.options.Keys, "keys", "", "the device believes updates by the public keys in `DIR` (default: those that scripts/bundle signs with)")
	lean := fs.Bool("lean", false, "leave out git, the shell and the table of radio channels")
	fs.BoolVar(&c.wifi, "wifi", false, "join a Wi-Fi network at the first start: --wifi SSID [PSK] [REGION]; "+
		"without PSK it is asked for, or read from standard input, which keeps it out of the shell's history")
	var agent codexFlags
	agent.add(fs)
	if err := fs.Parse(reorder(joinVersion(args))); err != nil {
		return c, err
	}
	var err error
	if c.options.Board, err = build.BoardNamed(*board); err != nil {
		return c, err
	}
	if c.options.Output == "" {
		c.options.Output = "prompt64-" + *board + ".img"
	}
	c.options.Tools, c.options.Codex = !*lean, agent.wanted()
	if c.options.Keys == "" {
		if c.options.Keys, err = release.DefaultKeys(); err != nil {
			return c, err
		}
	}
	if c.options.Firmware, err = firmwareFrom(*firmware, c.wifi); err != nil {
		return c, err
	}
	switch {
	case c.wifi:
		c.options.Settings, err = wifiSettings(fs.Args(), in, out)
	case fs.NArg() > 0:
		err = fmt.Errorf("%q is left over", fs.Arg(0))
	}
	return c, err
}

// reorder moves the words after --wifi behind the flags, where package flag wants
// them.
func reorder(args []string) []string {
	for i, a := range args {
		if a != "-wifi" && a != "--wifi" {
			continue
		}
		n := i + 1
		for n < len(args) && n <= i+3 && !strings.HasPrefix(args[n], "-") {
			n++
		}
		out := append([]string{}, args[:i]...)
		out = append(out, args[n:]...)
		return append(append(out, "-wifi"), append([]string{"--"}, args[i+1:n]...)...)
	}
	return args
}
