package drive

import (
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
)

func TestTypedTextArrivesKeyByKey(t *testing.T) {
	d, log := typewriter(t, Config{})
	text := "The quick fox, 42 \"jumps\" over: {a[0]} | ~`^_\\ <&>?\n"
	if err := d.Type(text); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(*log, ""); got != text {
		t.Errorf("got  %q\nwant %q", got, text)
	}
}

func TestEveryASCIICharacterCanBeTyped(t *testing.T) {
	for r := rune(' '); r < 0x7f; r++ {
		if _, ok := RuneKeys(r); !ok {
			t.Errorf("%q has no key", r)
		}
	}
	d, _ := typewriter(t, Config{})
	if err := d.Type("ä"); err == nil {
		t.Error("the C64 typed ä")
	}
}

func TestOverlappingKeysArriveInOrder(t *testing.T) {
	d, log := typewriter(t, Config{})
	if err := d.Roll("hello fast"); err != nil {
		t.Fatal(err)
	}
	// A doubled letter stays down: the matrix cannot show it twice.
	if got := strings.Join(*log, ""); got != "helo fast" {
		t.Errorf("got %q", got)
	}
	if err := d.Roll("A"); err == nil {
		t.Error("a shifted letter rolled")
	}
}

func TestNamedKeysArePressedWithTheirModifier(t *testing.T) {
	d, log := typewriter(t, Config{})
	want := ""
	for _, n := range KeyNames() {
		keys, err := KeyNamed(strings.ToLower(n))
		if err != nil {
			t.Fatal(err)
		}
		if modifier(keys[len(keys)-1]) {
			continue
		}
		if err := d.Press(keys...); err != nil {
			t.Fatal(err)
		}
		want += label(keys[len(keys)-1], held(keys)) + " "
	}
	if got := strings.Join(*log, " ") + " "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := KeyNamed("F13"); err == nil || !strings.Contains(err.Error(), "RETURN") {
		t.Errorf("F13: %v", err)
	}
}

func held(keys []machine.Key) map[machine.Key]bool {
	down := map[machine.Key]bool{}
	for _, k := range keys {
		down[k] = true
	}
	return down
}

func TestHoldKeepsAKeyDownForItsTime(t *testing.T) {
	d, _ := typewriter(t, Config{Gap: 20 * time.Millisecond})
	down, frames := false, 0
	d.M.Watch(0x38, func(uint16, byte) {
		if d.M.Peek(0x37)&0x10 == 0 { // SPACE
			down = true
			frames++
		}
	})
	if err := d.Hold(time.Second, machine.KeySpace); err != nil {
		t.Fatal(err)
	}
	if !down || frames < 49 || frames > 52 {
		t.Errorf("it was down in %d frames, want 50", frames)
	}
}
