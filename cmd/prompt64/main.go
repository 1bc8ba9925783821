// Command prompt64 is the bridge between a Commodore 64 and a coding agent,
// and the small tools around it.
//
// It does not go into the background, restart itself or keep a log file: it
// logs to standard error and leaves the rest to whoever started it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Exit codes.
const (
	exitOK    = 0
	exitFault = 1 // what was asked could not be done
	exitUsage = 2 // the command line asks for nothing that there is
)

// streams are the standard streams of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// command is one of the program's commands.
type command struct {
	name    string
	args    string // as the usage line shows them
	summary string // one line
	run     func(s streams, args []string) error
}

// commands returns the table of commands, in the order in which help lists them.
func commands() []command {
	return []command{serveCommand, agentCommand, doctorCommand, updateCommand, prgCommand, decodeCommand, versionCommand, helpCommand}
}

func main() {
	os.Exit(run(streams{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

// run runs the command that args name and returns the exit code.
func run(s streams, args []string) int {
	if len(args) == 0 {
		printHelp(s.err)
		return exitUsage
	}
	name := args[0]
	switch name {
	case "-h", "-help", "--help":
		name = helpCommand.name
	case "-version", "--version":
		name = versionCommand.name
	}
	for _, c := range commands() {
		if c.name == name {
			return finish(s, c, c.run(s, args[1:]))
		}
	}
	fmt.Fprintf(s.err, "prompt64: there is no command %q; \"prompt64 help\" lists them\n", args[0])
	return exitUsage
}

// finish says what went wrong, if anything, and returns the exit code.
func finish(s streams, c command, err error) int {
	var usage usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &usage):
		usage := c.name + " " + c.args
		if verb, ok := errors.AsType[verbError](err); ok {
			usage = verb.usage()
		}
		fmt.Fprintf(s.err, "prompt64 %s: %v\nusage: prompt64 %s\n", c.name, err, usage)
		return exitUsage
	default:
		fmt.Fprintf(s.err, "prompt64 %s: %v\n", c.name, err)
		return exitFault
	}
}

// usageError is a fault of the command line.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }

func (u usageError) Unwrap() error { return u.err }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// parse reads a command's flags. Help goes to standard output, since it was
// asked for; faults are left to finish.
func parse(s streams, c command, fs *flag.FlagSet, args []string) error {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(s.out, "usage: prompt64 %s %s\n\n%s\n\n", c.name, c.args, c.summary)
		fs.SetOutput(s.out)
		fs.PrintDefaults()
		return err
	case err != nil:
		return usageError{err}
	}
	return nil
}
