package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/prompt64/prompt64/appliance/agent"
)

// progress shows how far an installation is: on a terminal in one line that
// changes, elsewhere in a line for each tenth.
type progress struct {
	w        io.Writer
	terminal bool
	stage    agent.Stage
	detail   string
	tenth    int64
	open     bool // the terminal's line has no end yet
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, terminal: ok && term.IsTerminal(int(f.Fd()))}
}

func (p *progress) show(now agent.Progress) {
	if now.Stage != p.stage || now.Detail != p.detail {
		p.end()
		p.stage, p.detail, p.tenth = now.Stage, now.Detail, 0
		fmt.Fprint(p.w, p.title())
		if p.open = p.terminal; !p.open {
			fmt.Fprintln(p.w)
		}
	}
	if now.Done > 0 {
		p.count(now.Done, now.Total)
	}
}

func (p *progress) title() string {
	if p.detail == "" {
		return string(p.stage)
	}
	return string(p.stage) + " " + p.detail
}

// count shows bytes when a step is complete: a percent on a terminal, a tenth
// elsewhere, a megabyte or ten of them where the size is unknown.
func (p *progress) count(done, total int64) {
	steps, unit, suffix := int64(10), int64(10<<20), " MB"
	if p.terminal {
		steps, unit = 100, 1<<20
	}
	step, shown := done/unit, done/1_000_000
	if total > 0 {
		step, shown, suffix = done*steps/total, done*100/total, fmt.Sprintf(" %% of %d MB", (total+999_999)/1_000_000)
	}
	if step == p.tenth {
		return
	}
	p.tenth = step
	if p.terminal {
		fmt.Fprintf(p.w, "\r%s %d%s ", p.title(), shown, suffix)
		return
	}
	fmt.Fprintf(p.w, "  %d%s\n", shown, suffix)
}

// end ends the terminal's line.
func (p *progress) end() {
	if p.open {
		fmt.Fprintln(p.w)
		p.open = false
	}
}
