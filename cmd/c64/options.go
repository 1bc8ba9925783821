package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// options are the command line.
type options struct {
	prg, bridge, dial, code, script, png, labels, firmware string
	ntsc                                                   bool
	speed                                                  float64
	turbo                                                  int
	seed                                                   uint64
}

// unset is -speed's default: real time on the terminal, unbounded in a script.
const unset = -1

func parse(args []string, stderr io.Writer) (*options, error) {
	var o options
	f := flag.NewFlagSet("c64", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.prg, "prg", "", "run this PRG `file` instead of the built-in program")
	f.StringVar(&o.bridge, "bridge", "", "write this `host:port` into the program")
	f.StringVar(&o.dial, "dial", "", "connect to this `host:port`, whatever the program dials")
	f.StringVar(&o.code, "code", "", "write this pairing `code` into the program")
	f.StringVar(&o.script, "script", "", "run this script `file` (- is standard input) instead of the terminal")
	f.StringVar(&o.png, "png", "", "save the last picture to this `file`")
	f.StringVar(&o.labels, "labels", "", "read symbols from this `file` that ld65 -Ln wrote")
	f.StringVar(&o.firmware, "firmware", "newer", "the Ultimate's firmware: 3.10 3.11 3.12 3.12a 3.14 3.15 newer")
	f.BoolVar(&o.ntsc, "ntsc", false, "an NTSC machine; PAL otherwise")
	f.Float64Var(&o.speed, "speed", unset, "`times` real time, 0 as fast as it can (default 1, with -script 0)")
	f.IntVar(&o.turbo, "turbo", 1, "`MHz` of an Ultimate 64's turbo")
	f.Uint64Var(&o.seed, "seed", 0, "`number` that fills RAM with random bytes; 0 is the usual pattern")
	f.Usage = func() {
		fmt.Fprintf(stderr, "usage: c64 [-bridge HOST:PORT] [-prg FILE] [-script FILE] ...\n\n")
		f.PrintDefaults()
		fmt.Fprintf(stderr, "\nIn the terminal F12 lists the keys. A script has a command a line:\n\n%s", drive.Help())
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is no option: every option begins with a dash", f.Arg(0))
	}
	if o.turbo < 1 || o.turbo > 64 {
		return nil, errors.New("-turbo is 1 to 64 MHz")
	}
	if o.code != "" && o.bridge == "" {
		return nil, errors.New("-code needs -bridge: a code belongs to an address")
	}
	if o.speed == unset {
		o.speed = 1
		if o.script != "" {
			o.speed = 0
		}
	}
	return &o, nil
}

// machine makes the machine that the options describe.
func (o *options) machine() (*machine.Machine, error) {
	p, err := uci.ProfileNamed(o.firmware)
	if err != nil {
		return nil, err
	}
	opt := machine.Options{UCI: uci.Config{Profile: p, Dial: o.detour()}, Speed: o.speed, TurboMHz: o.turbo, Seed: o.seed}
	if o.ntsc {
		opt.Standard = machine.NTSC
	}
	return machine.New(opt), nil
}

// detour connects to -dial instead of where the program wants to; nil without.
func (o *options) detour() func(ctx context.Context, network, address string) (net.Conn, error) {
	if o.dial == "" {
		return nil
	}
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, o.dial)
	}
}
