package c64

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

// flood is about as much text as one turn may hold; it streams for longer than
// all keys take.
const flood = 56 << 10

// looksAim is the longest that nobody may look at the keyboard, in video frames:
// a lost raster interrupt would cost a whole one.
const looksAim = 0.5

// typing is what keys took, in video frames.
type typing struct {
	counted stats.Sample // from the moment in which the key counted
	contact stats.Sample // from its contact
	looks   stats.Sample // between two looks at the keyboard
}

// Keys measures the time from a key to its character in screen memory while
// text streams in as fast as it can be shown: from the moment in which the key
// counts (two looks agree), and from its contact.
func Keys(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var rows []report.Row
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		t, err := keys(ctx, p, std)
		if err != nil {
			return rows, fmt.Errorf("key to screen, %s: %w", std.Name, err)
		}
		rows = append(rows, both("key that counts to screen, "+std.Name, t.counted, "while text streams", report.AtMost(latencyAim))...)
		rows = append(rows, both("key contact to screen, "+std.Name, t.contact, "with debouncing", nil)...)
		rows = append(rows, both("between looks at the keyboard, "+std.Name, t.looks, "", report.AtMost(looksAim))[1])
	}
	return rows, nil
}

func keys(ctx context.Context, p plan.Plan, std machine.Standard) (typing, error) {
	var t typing
	s, err := sit(ctx, p, std)
	if err != nil {
		return t, err
	}
	defer s.close()
	store, err := s.addr("key_store")
	if err != nil {
		return t, err
	}
	if err := s.begin(); err != nil {
		return t, err
	}
	if err := s.say(texts.Prose(flood-len(lastWords)) + lastWords); err != nil {
		return t, err
	}
	if err := s.noteLooks(&t.looks); err != nil {
		return t, err
	}
	rnd := rand.New(rand.NewPCG(2, uint64(std.Lines)))
	for i := range p.Of(120) {
		counted, contact, err := s.press(store, rune('a'+i%26), rnd)
		if err != nil {
			return t, err
		}
		if i > 0 { // the first one takes the editor's hints away
			t.counted, t.contact = append(t.counted, counted), append(t.contact, contact)
		}
	}
	if s.d.Screen().Has("all.") {
		return t, errors.New("the text had ended before the last key")
	}
	return t, nil
}
