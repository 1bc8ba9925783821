package demo

import (
	"fmt"
	"strings"
	"time"
)

// Limits of what may be asked for.
const (
	maxStream  = 4 << 20 // characters
	maxBig     = 16384   // KiB
	maxSlow    = 100_000 // pieces
	maxSlowGap = 60_000  // ms
)

// words are what the prose is made of: plain ASCII without a mark that Markdown
// knows, so that every character of it reaches a C64.
var words = strings.Fields(`the border glows while a raster line crosses the screen
	and every sprite keeps its place a cursor blinks beside the prompt until the key
	arrives data moves over the wire in small frames each with a number so that
	nothing is lost or doubled when the line is cut and comes back again`)

// prose makes endless text, the same every time: numbered sentences of seven to
// twelve words.
type prose struct {
	sentence, word, length int
	seed                   uint32
}

// next returns a word with the space before it, but for the very first.
func (p *prose) next() string {
	p.seed = p.seed*1664525 + 1013904223
	if p.word == 0 {
		p.sentence++
		p.length = 7 + int(p.seed>>24)%6
		p.word++
		if p.sentence == 1 {
			return "Sentence 1:"
		}
		return fmt.Sprintf(" Sentence %d:", p.sentence)
	}
	w := " " + words[int(p.seed>>16)%len(words)]
	if p.word++; p.word > p.length {
		p.word = 0
		w += "."
	}
	return w
}

// stream says at least N characters, a word at a time.
func (t *turn) stream(args string) error {
	n, err := numbers(args, maxStream)
	if err != nil {
		return err
	}
	var p prose
	for said := 0; said < n[0]; {
		w := p.next()
		if err := t.say(w); err != nil {
			return err
		}
		said += len(w)
	}
	return nil
}

// slow says N numbered pieces, MS apart.
func (t *turn) slow(args string) error {
	n, err := numbers(args, maxSlow, maxSlowGap)
	if err != nil {
		return err
	}
	for i := 1; i <= n[0]; i++ {
		piece := fmt.Sprintf(" delta %d", i)
		if i == 1 {
			piece = "delta 1"
		} else if err := t.pause(n[1]); err != nil {
			return err
		}
		if err := t.say(piece); err != nil {
			return err
		}
	}
	return nil
}

// big says exactly so many KiB, a KiB at a time.
func (t *turn) big(args string) error {
	n, err := numbers(args, maxBig)
	if err != nil {
		return err
	}
	var p prose
	var left string
	for range n[0] {
		var b strings.Builder
		b.WriteString(left)
		for b.Len() < 1024 {
			b.WriteString(p.next())
		}
		piece := b.String()
		if err := t.say(piece[:1024]); err != nil {
			return err
		}
		left = piece[1024:]
	}
	return nil
}

// pause waits for some milliseconds.
func (t *turn) pause(ms int) error {
	if ms == 0 {
		return t.ctx.Err()
	}
	return t.s.p.cfg.Sleep(t.ctx, time.Duration(ms)*time.Millisecond)
}
