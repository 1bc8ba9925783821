package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

// start loads the program and hands the machine to a script or the terminal.
func start(o *options, stdout io.Writer) error {
	prg, err := o.program()
	if err != nil {
		return err
	}
	m, err := o.machine()
	if err != nil {
		return err
	}
	defer m.Close()
	if err := o.readLabels(m); err != nil {
		return err
	}
	if err := m.Load(prg); err != nil {
		return err
	}
	d := drive.New(m, drive.Config{Glyphs: c64prg.Glyph})
	load := func() error { return m.Load(prg) }
	if o.script != "" {
		err = runScript(o, d, load, stdout)
	} else {
		err = quit(terminal(d, load), stdout)
	}
	if o.png != "" {
		err = errors.Join(err, d.SavePNG(o.png))
	}
	return err
}

// quit is how a run at the terminal ended: a program that goes back to BASIC,
// which this machine does not have, has ended as its user wanted.
func quit(err error, stdout io.Writer) error {
	var f *machine.Failure
	if errors.As(err, &f) && f.PC == machine.ResetEntry {
		fmt.Fprintln(stdout, "The program went back to BASIC.")
		return nil
	}
	return err
}

// program is the PRG with the bridge's address in it.
func (o *options) program() ([]byte, error) {
	prg, err := o.file()
	if err != nil || o.bridge == "" {
		return prg, err
	}
	c, err := c64prg.Read(prg)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(o.bridge)
	if err != nil {
		return nil, fmt.Errorf("-bridge %s: write it as host:port", o.bridge)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("-bridge %s: the port is a number up to 65535", o.bridge)
	}
	c.Host, c.Port = host, uint16(n)
	if o.code != "" {
		c.Code = o.code
	}
	return c64prg.Patch(prg, c)
}

// file is the PRG as it was built.
func (o *options) file() ([]byte, error) {
	if o.prg == "" {
		return c64prg.Program(), nil
	}
	return os.ReadFile(o.prg)
}

func (o *options) readLabels(m *machine.Machine) error {
	if o.labels == "" {
		return nil
	}
	f, err := os.Open(o.labels)
	if err != nil {
		return err
	}
	defer f.Close()
	l, err := machine.ReadLabels(f)
	if err != nil {
		return err
	}
	m.SetLabels(l)
	return nil
}

// runScript plays a script.
func runScript(o *options, d *drive.Driver, load func() error, stdout io.Writer) error {
	in := io.Reader(os.Stdin)
	if o.script != "-" {
		f, err := os.Open(o.script)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	s := drive.Script{Driver: d, Out: stdout, Load: load}
	return s.Run(in)
}
