package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/prompt64/prompt64/image/flash"
)

// meter shows progress: on a terminal in one line, elsewhere a line at each tenth.
type meter struct {
	out      io.Writer
	terminal bool

	step  flash.Step
	last  time.Time
	tenth int64
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// show is a [flash.Progress].
func (m *meter) show(step flash.Step, done, total int64) {
	if step != m.step {
		m.end()
		m.step, m.tenth, m.last = step, -1, time.Time{}
	}
	text := string(step)
	if total > 0 {
		text = fmt.Sprintf("%s: %d %% of %s", step, done*100/total, flash.Bytes(total))
	}
	switch {
	case m.terminal && (time.Since(m.last) > 200*time.Millisecond || done == total):
		m.last = time.Now()
		fmt.Fprintf(m.out, "\r%s\x1b[K", text)
	case !m.terminal && (total == 0 || done*10/total != m.tenth):
		if total > 0 {
			m.tenth = done * 10 / total
		}
		fmt.Fprintln(m.out, text)
	}
}

// end leaves the line.
func (m *meter) end() {
	if m.terminal && m.step != "" {
		fmt.Fprintln(m.out)
	}
	m.step = ""
}
