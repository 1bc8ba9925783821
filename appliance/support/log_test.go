package support

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

func TestLinesAreWrittenAndKeptWithoutSecrets(t *testing.T) {
	var out bytes.Buffer
	var r Redactor
	r.Know("x", []string{"ABCD2345"})
	l := NewLog(&out, &r)
	log := slog.New(l.Handler(slog.LevelInfo)).With("part", "a").WithGroup("g")
	log.Debug("not this")
	log.Info("code ABCD2345", "n", 1)
	log.Warn("two")
	log.Error("three\nand more", "level", "INFO")
	lines, last, missed := l.Lines(0, slog.LevelDebug)
	if len(lines) != 3 || last != 3 || missed != 0 {
		t.Fatalf("%d lines, last %d, missed %d: %+v", len(lines), last, missed, lines)
	}
	var all strings.Builder
	for i, line := range lines {
		if line.N != uint64(i+1) || line.Time.IsZero() || line.Level != []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError}[i] {
			t.Errorf("line %d: %+v", i, line)
		}
		all.WriteString(line.Text + "\n")
	}
	if all.String() != out.String() || strings.Contains(out.String(), "ABCD2345") || !strings.Contains(out.String(), "part=a g.n=1") {
		t.Errorf("written:\n%s\nkept:\n%s", out.String(), all.String())
	}
	if strings.Count(out.String(), "\n") != 3 {
		t.Errorf("a line is not one line:\n%s", out.String())
	}
	if warned, _, _ := l.Lines(0, slog.LevelWarn); len(warned) != 2 {
		t.Errorf("warnings: %+v", warned)
	}
	if behind, _, _ := l.Lines(2, slog.LevelDebug); len(behind) != 1 || behind[0].N != 3 {
		t.Errorf("behind the second: %+v", behind)
	}
}

func TestLogIsBoundedAndSaysWhatIsMissed(t *testing.T) {
	l := NewLog(&bytes.Buffer{}, &Redactor{})
	log := slog.New(l.Handler(slog.LevelInfo))
	for i := range 5000 {
		log.Info(strings.Repeat("x", 200), "i", i)
	}
	log.Info(strings.Repeat("€", lineSize))
	lines, last, missed := l.Lines(0, slog.LevelInfo)
	size := 0
	for _, line := range lines {
		size += len(line.Text)
	}
	if size > logSize || len(lines) < 500 || uint64(len(lines))+missed != last {
		t.Errorf("%d lines of %d bytes, missed %d, last %d", len(lines), size, missed, last)
	}
	if end := lines[len(lines)-1].Text; len(end) > lineSize+10 || !strings.HasSuffix(end, "€ (cut)") {
		t.Errorf("the longest line has %d bytes", len(end))
	}
	if again, _, _ := l.Lines(last+7, slog.LevelInfo); len(again) != len(lines) {
		t.Errorf("a number from before a new start: %d lines", len(again))
	}
}

func TestReaderIsWokenByTheNextLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLog(&bytes.Buffer{}, &Redactor{})
		log := slog.New(l.Handler(slog.LevelInfo))
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				if err := l.Wait(t.Context(), 0); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		log.Info("hello")
		readers.Wait()
		if err := l.Wait(t.Context(), 0); err != nil { // there is one already
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Wait(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("it returned %v", err)
		}
	})
}

// asking is a value that logs while it is formatted.
type asking struct{ log *slog.Logger }

func (a asking) LogValue() slog.Value {
	a.log.Info("I am asked")
	return slog.StringValue("me")
}

func TestValueThatLogsItselfDoesNotLockTheLog(t *testing.T) {
	l := NewLog(&bytes.Buffer{}, &Redactor{})
	log := slog.New(l.Handler(slog.LevelInfo))
	log.Info("who", "it", asking{log})
	if lines, _, _ := l.Lines(0, slog.LevelInfo); len(lines) != 2 {
		t.Errorf("lines: %+v", lines)
	}
}

func TestWritersDoNotMixTheirLines(t *testing.T) {
	var out bytes.Buffer
	l := NewLog(&out, &Redactor{})
	log := slog.New(l.Handler(slog.LevelInfo))
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for range 100 {
				log.Info(fmt.Sprintf("w%d", i))
			}
		})
	}
	writers.Wait()
	lines, _, _ := l.Lines(0, slog.LevelInfo)
	var kept strings.Builder
	for _, line := range lines {
		kept.WriteString(line.Text + "\n")
	}
	if len(lines) != 800 || kept.String() != out.String() {
		t.Errorf("%d lines; same as written: %v", len(lines), kept.String() == out.String())
	}
}
