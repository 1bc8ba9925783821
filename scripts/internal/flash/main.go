// Flash writes the image of a card onto a card, reads it back, and says what state
// the card is in. scripts/flash builds and runs it.
package main

import (
	"bufio"
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

	"golang.org/x/term"

	"github.com/prompt64/prompt64/image/flash"
)

const usage = `usage: scripts/flash [flags] IMAGE DEVICE

Writes IMAGE (plain, .zst, .xz or .gz) onto DEVICE, a card such as /dev/sdX, and
reads it back. DEVICE may be a file, too. It shows what will be erased and asks.

`

// errNoConsent is the end when the name was not typed.
var errNoConsent = errors.New("the name was not typed")

// errUsage is a wrong command line, which was said already.
var errUsage = errors.New("usage")

func main() {
	switch err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "flash:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	image, device string
	yes           string
	allow         flash.Allow
	setup         flash.Setup
	keyFile       string
	askPassword   bool
	passwordFile  string
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("flash", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.Usage = func() {
		fmt.Fprint(out, usage)
		fs.PrintDefaults()
	}
	fs.StringVar(&o.yes, "yes", "", "do not ask: this is the `NAME` that would be typed, such as sdX")
	fs.BoolVar(&o.allow.Internal, "internal", false, "write also to a disk that is not removable")
	fs.StringVar(&o.setup.SSID, "wifi", "", "set the card up for the Wi-Fi network `SSID`; its key is asked for")
	fs.StringVar(&o.keyFile, "wifi-key-file", "", "read the Wi-Fi key from `FILE`")
	fs.StringVar(&o.setup.Region, "region", "", "the `COUNTRY` of the Wi-Fi, such as DE")
	fs.StringVar(&o.setup.Hostname, "hostname", "", "the device's `NAME` in the network (default: prompt64)")
	fs.BoolVar(&o.askPassword, "password", false, "ask for the password of the device's pages, and set it")
	fs.StringVar(&o.passwordFile, "password-file", "", "read that password from `FILE`")
	words, err := parseAnywhere(fs, args)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, errUsage
	}
	if len(words) != 2 {
		fs.Usage()
		return o, errUsage
	}
	o.image, o.device = words[0], words[1]
	return o, nil
}

// parseAnywhere takes flags before, between and behind the words, which it returns.
func parseAnywhere(fs *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := fs.Parse(args); err != nil || fs.NArg() == 0 {
			return words, err
		}
		words, args = append(words, fs.Arg(0)), fs.Args()[1:]
	}
}

func run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	o, err := parse(args, log)
	if err != nil {
		return err
	}
	ask := newAsker(in, out)
	shown := &meter{out: log, terminal: isTerminal(log)}
	disk, err := flash.Inspect(o.device)
	if err != nil {
		return err
	}
	if err := disk.Refusal(0, o.allow); err != nil {
		return err
	}
	image, err := flash.Look(ctx, o.image, shown.show)
	shown.end()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, flash.Untouched.Words())
	}
	if err := disk.Refusal(image.Size, o.allow); err != nil {
		return err
	}
	if o.setup.SSID != "" && lacksFirmware(o.image) {
		fmt.Fprintf(out, "warning: %s has no firmware for the radios of a Raspberry Pi: the card will know the Wi-Fi network and cannot join it. See image/README.md.\n\n", o.image)
	}
	if err = ask.setup(&o); err == nil {
		err = o.setup.Check()
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, flash.Untouched.Words())
	}
	if err := ask.consent(o, disk, image); err != nil {
		return fmt.Errorf("%w\n%s", err, flash.Untouched.Words())
	}
	// Not before: a question ends with Ctrl-C at once.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	state, err := write(ctx, o, disk, image, shown.show)
	shown.end()
	fmt.Fprintln(out, state.Words())
	return err
}

// write does it, and reports what the card is worth.
func write(ctx context.Context, o options, disk flash.Disk, image flash.Image, progress flash.Progress) (flash.State, error) {
	device, err := flash.Open(disk)
	if err != nil {
		return flash.Untouched, err
	}
	f := flash.Flasher{Image: image, Device: device, Progress: progress}
	state, err := f.Write(ctx)
	if ctx.Err() != nil {
		err = errors.New("it was interrupted")
	}
	if err == nil && o.setup != (flash.Setup{}) {
		if err = o.setup.Place(device, max(disk.Size, image.Size), time.Now()); err != nil {
			err = fmt.Errorf("%w\nThe image itself is fine, but Wi-Fi, name or password are not set: set them up by cable, or write the card again", err)
		}
	}
	if closeErr := device.Close(); err == nil && closeErr != nil {
		return flash.Unchecked, fmt.Errorf("close card: %w", closeErr)
	}
	return state, err
}

// asker asks a person.
type asker struct {
	lines *bufio.Reader
	out   io.Writer

	hidden func(question string) (string, error) // nil where there is no terminal
}

func newAsker(in io.Reader, out io.Writer) *asker {
	a := &asker{lines: bufio.NewReader(in), out: out}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.hidden = hiddenLine(f, out)
	}
	return a
}

// setup completes what the card is set up with.
func (a *asker) setup(o *options) error {
	var err error
	if o.setup.SSID != "" {
		if o.setup.PSK, err = a.secret(o.keyFile, "Wi-Fi key (empty for an open network): "); err != nil {
			return err
		}
	}
	if o.askPassword || o.passwordFile != "" {
		o.setup.Password, err = a.secret(o.passwordFile, "Password of the device's pages: ")
		if err == nil && o.setup.Password == "" {
			err = errors.New("the password is empty: choose one of 8 characters or more")
		}
	}
	return err
}

// secret reads one from a file, or asks twice without showing what is typed: a slip
// would leave a device that nobody reaches. It is never
// taken from the command line, which every program on this computer can read.
func (a *asker) secret(file, question string) (string, error) {
	if file != "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("read secret: %w", err)
		}
		line, _, _ := strings.Cut(string(b), "\n")
		return strings.TrimRight(line, "\r"), nil
	}
	if a.hidden == nil {
		return a.line()
	}
	once, err := a.hidden(question)
	if err != nil || once == "" {
		return once, err
	}
	again, err := a.hidden("The same again: ")
	if err == nil && again != once {
		err = errors.New("the two are not the same: start again")
	}
	return once, err
}

// hiddenLine asks on a terminal, without showing what is typed.
func hiddenLine(terminal *os.File, out io.Writer) func(string) (string, error) {
	return func(question string) (string, error) {
		fmt.Fprint(out, question)
		b, err := term.ReadPassword(int(terminal.Fd()))
		fmt.Fprintln(out)
		return string(b), err
	}
}

func (a *asker) line() (string, error) {
	line, err := a.lines.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// consent shows what will be lost and has its name typed.
func (a *asker) consent(o options, disk flash.Disk, image flash.Image) error {
	if disk.New {
		return nil
	}
	fmt.Fprintf(a.out, "This ERASES everything on:\n\n  %s\n\nand writes %s (%s) there.\n",
		strings.Join(disk.Description(), "\n  "), image.Path, flash.Bytes(image.Size))
	name := o.yes
	if name == "" {
		fmt.Fprintf(a.out, "Type %s to go on: ", disk.Name)
		var err error
		if name, err = a.line(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if name != disk.Name {
		return fmt.Errorf("%q is not %s: %w", name, disk.Name, errNoConsent)
	}
	return nil
}
