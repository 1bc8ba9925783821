package main

import (
	"fmt"
	"io"
)

var helpCommand command

// The table of commands holds help, and help shows the table.
func init() {
	helpCommand = command{
		name:    "help",
		args:    "[COMMAND]",
		summary: "Lists the commands, or the flags of one.",
		run:     runHelp,
	}
}

func runHelp(s streams, args []string) error {
	switch len(args) {
	case 0:
		printHelp(s.out)
		return nil
	case 1:
		for _, c := range commands() {
			if c.name == args[0] && c.name != helpCommand.name {
				return c.run(s, []string{"-help"})
			}
		}
		return usagef("there is no command %q to explain", args[0])
	}
	return usagef("explains one command at a time")
}

func printHelp(w io.Writer) {
	fmt.Fprint(w, "Prompt64: a coding agent on a Commodore 64.\n\nusage: prompt64 COMMAND [FLAGS]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\n\"prompt64 help COMMAND\" shows a command's flags.\n")
}
