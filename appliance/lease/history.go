package lease

import (
	"bytes"
	"context"
	"slices"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/display"
)

// history answers with the newest finished turns. A new session has none; a
// stored one is opened for it if need be.
func (l *lease) history() {
	l.later(func(r *reply) {
		if l.agent.session == nil && l.agent.id == "" {
			r.fill(historyFrames(nil))
			return
		}
		ctx, settings := l.feed.ctx, l.settings
		l.withSession(func(s provider.Session, err error) {
			l.ask(r, "HISTORY", func() (producer, error) {
				if err != nil {
					return nil, err
				}
				ctx, cancel := context.WithTimeout(ctx, callTime)
				defer cancel()
				entries, err := s.History(ctx)
				if err != nil {
					return nil, err
				}
				return historyFrames(newest(entries, settings)), nil
			})
		})
	})
}

// spoken is an entry of the history, shaped.
type spoken struct {
	speaker frames.Speaker
	text    []byte
}

// newest shapes entries from the last one backwards until MaxHistory bytes are
// there; the oldest of them may have lost its beginning.
func newest(entries []provider.Entry, s Settings) []spoken {
	var out []spoken
	room := frames.MaxHistory
	for _, e := range slices.Backward(entries) {
		shaper := display.New(display.Options{Palette: s.palette(), Markdown: e.Speaker == frames.SpeakerAssistant})
		text := bytes.Trim(shaper.Flush(shaper.Write(nil, e.Text)), "\n")
		if len(text) == 0 {
			continue
		}
		if len(text) > room {
			if room > len("...") {
				out = append(out, spoken{e.Speaker, display.FitTail(text, room)})
			}
			break
		}
		room -= len(text)
		out = append(out, spoken{e.Speaker, text})
	}
	slices.Reverse(out)
	return out
}

func historyFrames(entries []spoken) producer {
	i, rest, ended := -1, []byte(nil), false
	return func(dst []byte) ([]byte, bool) {
		start := len(rest) == 0
		if start {
			i++
			if i < len(entries) {
				rest = entries[i].text
			}
		}
		if i >= len(entries) {
			if ended {
				return dst, false
			}
			ended = true
			return frames.HistoryDone{Entries: uint8(min(len(entries), 255))}.AppendTo(dst), true
		}
		m := frames.HistoryText{Start: start, Speaker: entries[i].speaker}
		m.Text, rest = display.Split(rest, frames.MaxHistoryText)
		return m.AppendTo(dst), true
	}
}
