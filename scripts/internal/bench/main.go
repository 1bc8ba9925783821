// Bench measures what the project promises about speed and memory, and prints
// one table. It is run by scripts/bench, which builds what it needs.
//
// It proves nothing about another machine: times are medians of several runs,
// beside something bare that ran in turns with them. Only cycles of the C64 and
// sizes are exact. An aim that is missed is printed and does not fail the run;
// what cannot be measured does.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
)

func main() {
	codextest.Main() // the group codex starts this program again
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	code := run(ctx, os.Args[1:], groups, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are the command line.
type options struct {
	plan          plan.Plan
	only          []string
	json, profile bool
}

func parse(args []string, all []group, stderr io.Writer) (*options, error) {
	var o options
	var only string
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.plan.Quick, "quick", false, "fewer and shorter runs")
	f.StringVar(&only, "only", "", "measure these `groups` alone, separated by commas")
	f.BoolVar(&o.json, "json", false, "print JSON instead of the table")
	f.BoolVar(&o.profile, "profile", false, "also list where the C64's cycles went")
	f.StringVar(&o.plan.Root, "root", ".", "the repository's `folder`")
	f.StringVar(&o.plan.Bridge, "bridge", "", "the built prompt64 `program`")
	f.Usage = func() {
		fmt.Fprintf(stderr, "usage: scripts/bench [--quick] [--only NAMES] [--json] [--profile]\n\n")
		f.PrintDefaults()
		fmt.Fprintf(stderr, "\nThe groups:\n")
		for _, g := range all {
			fmt.Fprintf(stderr, "  %-8s %s\n", g.name, g.about)
		}
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is no option: every option begins with a dash", f.Arg(0))
	}
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	return &o, nil
}

// run is main without the process; it gives the exit code.
func run(ctx context.Context, args []string, all []group, stdout, stderr io.Writer) int {
	o, err := parse(args, all, stderr)
	if err == flag.ErrHelp {
		return 0
	}
	if err == nil {
		all, err = choose(all, o.only)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 2
	}
	if o.profile {
		o.plan.Profile = func(title string, lines []string) {
			fmt.Fprintf(stderr, "%s\n  %s\n", title, strings.Join(lines, "\n  "))
		}
	}
	rows, missing := measure(ctx, all, o.plan, stderr)
	write := report.Table
	if o.json {
		write = report.JSON
	}
	if err := write(stdout, rows, missing); err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	if len(missing) > 0 {
		return 1
	}
	return 0
}
