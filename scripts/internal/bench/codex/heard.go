package codex

import (
	"time"

	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// heard is what was noted of a turn.
type heard struct {
	sent, first time.Time    // the prompt, and the first words
	late        stats.Sample // each word of [[clock]]: ms from its writing
	open        string       // words that are not whole yet
}

// take takes text that arrived.
func (h *heard) take(text string, at time.Time) {
	if h.first.IsZero() {
		h.first = at
	}
	var written []time.Time
	written, h.open = codextest.Stamps(h.open + text)
	for _, w := range written {
		h.late = append(h.late, ms(at.Sub(w)))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
