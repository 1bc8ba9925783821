package codex

import (
	"bufio"
	"errors"
	"log/slog"
	"os"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
)

// tail drains a stream of log lines and remembers the last one.
type tail struct {
	mu   sync.Mutex
	line string
	done chan struct{}
}

// maxLogLine is how much of a line of the log is kept.
const maxLogLine = 4 << 10

func newTail(r *os.File, log *slog.Logger) *tail {
	t := &tail{done: make(chan struct{})}
	guarded.Go("codex log", func() {
		defer close(t.done)
		defer r.Close()
		in := bufio.NewReader(provider.NewPipe(r))
		for {
			line, err := readLine(in, maxLogLine)
			var long *tooLongError
			if errors.As(err, &long) {
				line, err = long.head, nil
			}
			if err != nil {
				return
			}
			t.take(string(line), log)
		}
	}, nil) // which closes it
	return t
}

func (t *tail) take(line string, log *slog.Logger) {
	line = provider.LogLine(line)
	if line == "" {
		return
	}
	log.Debug("codex says", "line", line)
	t.mu.Lock()
	t.line = line
	t.mu.Unlock()
}

func (t *tail) wait() { <-t.done }

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.line
}
