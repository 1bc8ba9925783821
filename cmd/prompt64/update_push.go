package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/push"
)

var updateCommand command

func init() {
	updateCommand = command{
		name:    "update",
		args:    "[-now] [-older] [-guard] HOST BUNDLE",
		summary: "Sends an update to a device, and waits until it runs or the device went back.",
		run:     runUpdate,
	}
}

func runUpdate(s streams, args []string) error {
	fs := flag.NewFlagSet("update", flag.ContinueOnError)
	now := fs.Bool("now", false, "do not wait for the turn of a C64 to end")
	older := fs.Bool("older", false, "install it although it is older than what runs")
	guard := fs.Bool("guard", false, "install it although it brings another guard, the part that goes back from a bad update")
	if err := parse(s, updateCommand, fs, args); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return usagef("name a device, such as prompt64.local, and the file of an update")
	}
	if _, err := os.Stat(fs.Arg(1)); err != nil {
		return err
	}
	password, err := askPassword(s)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	p := newProgress(s.err)
	err = push.Run(ctx, push.Options{
		Host: fs.Arg(0), Password: password, Bundle: fs.Arg(1), Now: *now,
		Consent: update.Consent{Older: *older, Guard: *guard},
		Note:    func(words string) { p.end(); fmt.Fprintln(s.out, words) },
		Progress: func(done, total int64) {
			p.show(agent.Progress{Stage: "sending", Done: done, Total: total})
		},
	})
	p.end()
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted; an update that the device took goes on, its pages tell how")
	}
	return advised(err)
}

// advised adds to an error what to type next.
func advised(err error) error {
	var dial *net.OpError
	switch {
	case err == nil:
	case strings.Contains(err.Error(), update.ErrOtherGuard.Error()): // the device's words
		return fmt.Errorf("%w: with -guard", err)
	case strings.Contains(err.Error(), update.ErrOlder.Error()):
		return fmt.Errorf("%w: with -older", err)
	case errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Errorf("%w: is the device on, and is that its name? Its address serves as well", err)
	}
	return err
}

// askPassword asks for the password of a device's pages, without showing it, or
// reads a line of standard input.
func askPassword(s streams) (string, error) {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(s.err, "Password of the device's pages: ")
		password, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(s.err)
		return string(password), err
	}
	line, err := bufio.NewReader(s.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
