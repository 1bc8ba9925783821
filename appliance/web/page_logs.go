package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/support"
)

// Logs is the log in memory, without secrets.
type Logs interface {
	Lines(after uint64, least slog.Level) (lines []support.Line, last, missed uint64)
	Wait(ctx context.Context, after uint64) error
}

// logsPage shows the log as it is written.
func logsPage() page {
	return page{path: "/logs", label: "Logs", icon: "logs", aside: true, routes: []route{
		{"GET /logs", signedIn, showLogs},
		{"GET /logs/events", signedIn, followLogs},
		{"GET /logs/text", signedIn, sendLogs},
	}}
}

// logLevels are the choices of the page, and their words.
var logLevels = []struct {
	Word  string
	Label string
	level slog.Level
}{
	{"", "Everything", slog.LevelDebug},
	{"info", "What happens", slog.LevelInfo},
	{"warn", "Trouble", slog.LevelWarn},
	{"error", "Errors", slog.LevelError},
}

// logLevel is the visitor's choice.
func (v *visit) logLevel() (word string, least slog.Level) {
	asked := v.r.URL.Query().Get("level")
	for _, l := range logLevels {
		if l.Word == asked {
			return l.Word, l.level
		}
	}
	return "", slog.LevelDebug
}

// logLine is a line as the page shows it.
type logLine struct {
	Time string `json:"time"`
	Kind string `json:"kind"` // of its level
	Text string `json:"text"`
}

// logsData is what templates/logs.html shows.
type logsData struct {
	Kept   bool // there is a log
	Levels any
	Level  string
	From   string
	Lines  []logLine
	Missed uint64
}

func showLogs(v *visit) error {
	word, least := v.logLevel()
	data := logsData{Levels: logLevels, Level: word}
	if v.site.Logs != nil {
		lines, last, missed := v.site.Logs.Lines(0, least)
		if extra := len(lines) - shownLines; extra > 0 {
			lines, missed = lines[extra:], missed+uint64(extra)
		}
		data.Kept, data.From, data.Missed = true, v.site.streams.from(last), missed
		for _, l := range lines {
			data.Lines = append(data.Lines, shownLine(l))
		}
	}
	return v.show(http.StatusOK, "logs", "Logs", data)
}

// shownLine takes from a line what stands beside it.
func shownLine(l support.Line) logLine {
	text := l.Text
	if _, rest, ok := strings.Cut(text, " "+slog.LevelKey+"="); ok {
		if _, message, ok := strings.Cut(rest, " "); ok {
			text = message
		}
	}
	kind := "info"
	switch {
	case l.Level >= slog.LevelError:
		kind = "fail"
	case l.Level >= slog.LevelWarn:
		kind = "warn"
	case l.Level < slog.LevelInfo:
		kind = "debug"
	}
	return logLine{l.Time.UTC().Format("15:04:05"), kind, text}
}

var errNoLog = fault{http.StatusNotFound, "This bridge keeps no log.", nil}

// followLogs sends the lines that are written from now on.
func followLogs(v *visit) error {
	if v.site.Logs == nil {
		return errNoLog
	}
	_, least := v.logLevel()
	after, known := v.position()
	return v.stream(!known, func(ctx context.Context, st *stream) error {
		for {
			lines, last, missed := v.site.Logs.Lines(after, least)
			if missed > 0 {
				lines = slices.Insert(lines, 0, support.Line{N: after + missed, Time: v.site.Now(), Level: slog.LevelWarn,
					Text: fmt.Sprintf("%d lines are missing here: more was written than is kept.", missed)})
			}
			for _, l := range lines {
				if err := st.send("line", l.N, shownLine(l)); err != nil {
					return err
				}
			}
			after = last
			if err := st.turn(ctx, func(ctx context.Context) error { return v.site.Logs.Wait(ctx, after) }); err != nil {
				return err
			}
		}
	})
}

// sendLogs hands the log out as a file.
func sendLogs(v *visit) error {
	if v.site.Logs == nil {
		return errNoLog
	}
	_, least := v.logLevel()
	lines, _, _ := v.site.Logs.Lines(0, least)
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.Text + "\n")
	}
	v.attach("prompt64-log.txt", "text/plain; charset=utf-8", []byte(text.String()))
	return nil
}

// attach answers with a file to keep. The name is ours.
func (v *visit) attach(name, kind string, body []byte) {
	v.w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	v.send(http.StatusOK, kind, body)
}
