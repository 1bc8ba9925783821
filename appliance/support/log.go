package support

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Line is one line of the log, without secrets.
type Line struct {
	N     uint64 // counts from 1
	Time  time.Time
	Level slog.Level
	Text  string // as slog's text handler writes it, without an end of line
}

// Log writes lines of text and keeps the last ones. Its methods are safe for
// concurrent use, and none of them waits for a reader.
type Log struct {
	out    io.Writer
	redact *Redactor

	mu      sync.Mutex
	lines   []Line
	size    int
	last    uint64
	changed chan struct{} // closed at the next line; nil: nobody waits
}

// NewLog makes a log that writes to out, which must not block for long.
func NewLog(out io.Writer, redact *Redactor) *Log { return &Log{out: out, redact: redact} }

// Handler returns what a slog.Logger writes to: slog's own handler, which formats
// a record before it takes any lock, and writes a line in one piece.
func (l *Log) Handler(level slog.Leveler) slog.Handler {
	return slog.NewTextHandler(l, &slog.HandlerOptions{Level: level})
}

// Write takes one line of slog's text handler.
func (l *Log) Write(b []byte) (int, error) {
	text := strings.TrimSuffix(l.redact.Clean(string(b)), "\n")
	if len(text) > lineSize {
		text = strings.ToValidUTF8(text[:lineSize], "") + " (cut)"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	l.lines = append(l.lines, Line{l.last, time.Now(), levelOf(text), text})
	l.size += len(text) + lineCost
	n := 0
	for l.size > logSize {
		l.size -= len(l.lines[n].Text) + lineCost
		n++
	}
	l.lines = l.lines[n:]
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	if _, err := io.WriteString(l.out, text+"\n"); err != nil {
		return 0, err
	}
	return len(b), nil
}

// levelOf reads a line's level, which stands behind its time.
func levelOf(text string) (level slog.Level) {
	_, rest, _ := strings.Cut(text, slog.LevelKey+"=")
	word, _, _ := strings.Cut(rest, " ")
	_ = level.UnmarshalText([]byte(word)) // INFO where there is none
	return level
}

// Lines returns the lines behind the one with a number that have at least a
// level, and the number of the last line there is, for the next call. missed is
// how many lines between are no longer kept.
func (l *Log) Lines(after uint64, least slog.Level) (lines []Line, last, missed uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if after > l.last {
		after = 0 // the number is from before a new start
	}
	if len(l.lines) > 0 && after+1 < l.lines[0].N {
		missed = l.lines[0].N - after - 1
	}
	for _, line := range l.lines {
		if line.N > after && line.Level >= least {
			lines = append(lines, line)
		}
	}
	return lines, l.last, missed
}

// Wait returns when there is a line behind the one with a number, or ctx is done.
func (l *Log) Wait(ctx context.Context, after uint64) error {
	l.mu.Lock()
	if l.last != after {
		l.mu.Unlock()
		return ctx.Err()
	}
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	changed := l.changed
	l.mu.Unlock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
