package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/d64"
)

var prgCommand command

func init() {
	prgCommand = command{
		name:    "prg",
		args:    "-o FILE -host HOST [-port PORT] [-code CODE] [-serial BAUD] [-d64]",
		summary: "Writes the C64's program with a bridge's address or a serial line in it.",
		run:     runPRG,
	}
}

func runPRG(s streams, args []string) error {
	fs := flag.NewFlagSet("prg", flag.ContinueOnError)
	out := fs.String("o", "", "write the program to `FILE`; - is standard output")
	host := fs.String("host", "", "the bridge's name or IPv4 address")
	port := fs.Uint("port", defaultPort, "the bridge's port")
	code := fs.String("code", "", "the pairing code, where the bridge asks for one")
	serial := fs.Int("serial", 0, "use a serial line of that `BAUD`, such as 38400, and not the network")
	disk := fs.Bool("d64", false, "write a disk image with the program on it")
	if err := parse(s, prgCommand, fs, args); err != nil {
		return err
	}
	switch {
	case fs.NArg() > 0:
		return usagef("%q is left over", fs.Arg(0))
	case *out == "":
		return usagef("-o is missing: say which file to write")
	case *port > 65535:
		return usagef("port %d: a port is between 1 and 65535", *port)
	}
	cfg, err := c64prg.Config{Host: *host, Port: uint16(*port), Code: *code}.AtSpeed(*serial)
	if err == nil {
		err = cfg.Validate()
	}
	if err != nil {
		return usageError{err}
	}
	prg, err := configuredPRG(cfg)
	if err != nil {
		return err
	}
	if *disk {
		if prg, err = d64.Prompt64(prg); err != nil {
			return err
		}
	}
	if *out == "-" {
		_, err := s.out.Write(prg)
		return err
	}
	if err := writeProgram(*out, prg); err != nil {
		return fmt.Errorf("write program: %w", err)
	}
	return nil
}

// writeProgram writes a file whole or not at all. A rename would put a file in
// the place of a device, a pipe or a link, so those are written to.
func writeProgram(path string, prg []byte) error {
	info, err := os.Stat(path)
	switch {
	case err != nil: // a new file, or renameio says what is wrong
	case info.IsDir():
		return fmt.Errorf("%s is a folder: name a file in it", path)
	case !info.Mode().IsRegular():
		return writeTo(path, prg)
	default:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	return renameio.WriteFile(path, prg, 0o644)
}

func writeTo(path string, prg []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(prg)
	return errors.Join(err, f.Close())
}

// configuredPRG returns the embedded program with a way to the bridge in it; its
// colours and its sound stay as they were built.
func configuredPRG(cfg c64prg.Config) ([]byte, error) {
	built, err := c64prg.Read(c64prg.Program())
	if err != nil {
		return nil, err
	}
	cfg.Scheme, cfg.Sound = built.Scheme, built.Sound
	return c64prg.Patch(c64prg.Program(), cfg)
}

// pagePRG is the program that the pages hand out.
func pagePRG(p web.Program, port uint16) ([]byte, error) {
	cfg, err := c64prg.Config{Host: p.Host, Port: port, Code: p.Code}.AtSpeed(p.Baud)
	if err != nil {
		return nil, err
	}
	return configuredPRG(cfg)
}
