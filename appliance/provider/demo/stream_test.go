package demo

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestStreamSaysAtLeastNCharactersByTheWord(t *testing.T) {
	r := newRig(t)
	for _, n := range []int{0, 1, 10, 1000, 8192} {
		got := r.ask("/stream " + itoa(n))
		if len(got.text) < n || len(got.text) > n+40 {
			t.Errorf("/stream %d said %d characters", n, len(got.text))
		}
		for _, piece := range got.pieces() {
			if len(strings.Fields(piece)) > 2 { // "Sentence 1:" is the only pair
				t.Errorf("/stream %d has the piece %q", n, piece)
			}
		}
		if strings.Contains(got.text, "  ") || strings.TrimSpace(got.text) != got.text {
			t.Errorf("/stream %d has spaces that a screen may fold", n)
		}
	}
}

func TestStreamIsTheSameEveryTime(t *testing.T) {
	r := newRig(t)
	first := r.ask("/stream 3000").text
	if second := r.ask("/stream 3000").text; first != second {
		t.Error("two streams of one length differ")
	}
}

func TestSlowSaysNumberedPiecesApart(t *testing.T) {
	r := newRig(t)
	got := r.ask("/slow 3 250")
	if want := []string{"delta 1", " delta 2", " delta 3"}; !slices.Equal(got.pieces(), want) {
		t.Errorf("the pieces are %q", got.pieces())
	}
	if want := []time.Duration{250 * time.Millisecond, 250 * time.Millisecond}; !slices.Equal(r.slept, want) {
		t.Errorf("slept %v", r.slept)
	}
	r.slept = nil
	if got := r.ask("/slow 2 0"); got.text != "delta 1 delta 2" || len(r.slept) != 0 {
		t.Errorf("without a pause: %q, slept %v", got.text, r.slept)
	}
}

func TestBigSaysExactlySoManyKiB(t *testing.T) {
	r := newRig(t)
	for _, kib := range []int{0, 1, 3, 100} {
		if got := r.ask("/big " + itoa(kib)); len(got.text) != kib*1024 || got.text != bigText(kib) {
			t.Errorf("/big %d said %d bytes", kib, len(got.text))
		}
	}
}

func TestSayArrivesByteByByte(t *testing.T) {
	r := newRig(t)
	got := r.ask(`/say a\u00e9 \ud83d\ude00 \ud83d \ude00\u0041 \u12 \q`)
	if want := "a\u00e9 \U0001F600 \uFFFD \uFFFDA \\u12 \\q"; got.text != want {
		t.Errorf("said %q, want %q", got.text, want)
	}
	for _, piece := range got.pieces() {
		if len(piece) != 1 {
			t.Errorf("a piece is %q", piece)
		}
	}
}

func TestUnescapeOfTwoHighSurrogatesKeepsThePairAtTheEnd(t *testing.T) {
	if got := unescape(`\ud83d\ud83d\ude00`); got != "\uFFFD\U0001F600" {
		t.Errorf("got %q", got)
	}
}

func TestUnescapeIsValidAndLeavesOtherTextAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune(`\u0dD8eE1g`+"\u00e9 "))).Draw(t, "text")
		got := unescape(text)
		if !utf8.ValidString(got) {
			t.Fatalf("%q becomes %q", text, got)
		}
		if !strings.Contains(text, `\u`) && got != text {
			t.Fatalf("%q without a unit becomes %q", text, got)
		}
	})
}
