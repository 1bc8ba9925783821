package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/web"
)

// Ports where none is named.
const (
	defaultPort    = 6464
	defaultWebPort = 8064
)

// shutdownTime bounds the end of serve: a provider has five seconds to stop.
const shutdownTime = 12 * time.Second

var serveCommand command

func init() {
	serveCommand = command{
		name:    "serve",
		args:    "[-data DIR] [-listen HOST:PORT] [-web HOST:PORT] [-provider NAME] [-workspaces DIR] ...",
		summary: "Runs the bridge until it is interrupted.",
		run:     runServe,
	}
}

func runServe(s streams, args []string) error {
	opts, err := parseServe(s, args)
	if err != nil {
		return err
	}
	if opts.device {
		if err := findPrograms(); err != nil {
			return err
		}
	}
	level := slog.LevelInfo
	if opts.verbose {
		level = slog.LevelDebug
	}
	outliveReaders()
	out := newSink(s.err)
	defer out.close()
	opts.kept = newKeptLog(out)
	log := slog.New(opts.kept.Handler(level))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	defer dumpOnSignal(opts.data, log)()
	if opts.revive(ctx, log) {
		return nil
	}
	return serveOn(ctx, opts, s.out, log, stop)
}

// outliveReaders keeps a broken pipe at standard output or error from ending the
// program, as it would any other; whoever read the log may go. It is caught and
// not ignored, since the programs that an agent runs would inherit that.
func outliveReaders() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// serveOptions is what the command line of serve says, checked.
type serveOptions struct {
	data       string
	listen     string
	web        string
	agent      agentOptions
	workspaces string // empty: the data folder's own
	pairing    pairingOptions
	serial     serialOptions
	verbose    bool
	kept       *keptLog          // the log, that a new start keeps; nil: it goes by
	sessions   *web.Sessions     // of browsers, that a new start keeps; nil: none
	mdns       bool              // tell the local network of this bridge
	wifi       bool              // this program looks after the Wi-Fi
	device     bool              // this is the appliance, not a workstation
	user       agentUser         // who the agent is
	boot       config.Boot       // where a device's owner drops files
	storage    firstboot.Storage // the device's; nil: this is none
	machine    machine           // what its parts work on
	given      map[string]bool   // flags that were named: they win over the settings
}

func parseServe(s streams, args []string) (serveOptions, error) {
	var o serveOptions
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.StringVar(&o.data, "data", "", "keep state in `DIR` (default: "+defaultDataHelp+")")
	fs.StringVar(&o.listen, "listen", fmt.Sprintf("127.0.0.1:%d", defaultPort), "wait for C64s on `HOST:PORT`; port 0 takes a free one")
	fs.StringVar(&o.web, "web", fmt.Sprintf("127.0.0.1:%d", defaultWebPort), "serve pages on `HOST:PORT`")
	fs.StringVar(&o.agent.name, "provider", providerNames()[0], "the agent's `NAME`: "+strings.Join(providerNames(), ", "))
	codexFlags(fs, &o.agent.codexOptions)
	fs.StringVar(&o.agent.acpCommand, "acp-command", "", "start the agent of -provider acp or acp:NAME with `'ARGV...'`")
	fs.StringVar(&o.workspaces, "workspaces", "", "the agent works on the folders in `DIR` (default: workspaces in the data folder)")
	allow := fs.String("allow", "loopback", "let these `ADDRESSES` and networks in without a code, separated by commas")
	codeFile := fs.String("code-file", "", "read the pairing code from `FILE` (default: the variable "+codeVariable+")")
	serial := fs.String("serial", "", "also wait for a C64 on the serial port `PORT[:BAUD]`, such as /dev/ttyUSB0:38400")
	fs.BoolVar(&o.wifi, "wifi", false, "join the Wi-Fi networks of the settings, as a device does; needs root, and nobody else who does it")
	fs.BoolVar(&o.device, "device", false, "be the appliance: data in "+deviceData+", pages on port 80, start whatever is wrong")
	fs.BoolVar(&o.mdns, "mdns", false, "be prompt64.local in the local network, if it may connect; a device always is")
	fs.BoolVar(&o.verbose, "verbose", false, "log more")
	if err := parse(s, serveCommand, fs, args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, usagef("%q is left over", fs.Arg(0))
	}
	o.given = map[string]bool{}
	fs.Visit(func(f *flag.Flag) { o.given[f.Name] = true })
	if name := o.agent.implied(); name != "" && !o.given["provider"] {
		o.agent.name, o.given["provider"] = name, true
	}
	var err error
	if o.pairing, err = readPairing(*allow, *codeFile); err != nil {
		return o, err
	}
	if err := o.agent.check(); err != nil {
		return o, err
	}
	if *serial != "" {
		if o.serial, err = parseSerial(*serial); err != nil {
			return o, usagef("-serial %q: %w", *serial, err)
		}
	}
	for name, addr := range map[string]string{"-listen": o.listen, "-web": o.web} {
		if err := checkAddress(addr); err != nil {
			return o, usagef("%s %q: %w", name, addr, err)
		}
	}
	if o.device {
		return o.forDevice(), nil
	}
	if o.data == "" {
		o.data, err = defaultData()
	}
	return o, err
}
