package update_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"aead.dev/minisign"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/updatetest"
)

// refused sends a bundle that is not taken, and makes sure that nothing was written
// anywhere but in the record.
func (l *life) refused(data []byte, want string, consent ...update.Consent) {
	l.t.Helper()
	if err := l.send(data, consent...); err == nil || !strings.Contains(err.Error(), want) {
		l.t.Errorf("%s: Receive: %v", want, err)
	}
	for _, step := range l.d.Steps() {
		if strings.Contains(step, "slot") || strings.Contains(step, ".conf") || strings.Contains(step, ".txt") {
			l.t.Errorf("%s: the refused update did %q", want, l.d.Steps())
		}
	}
	if s := l.updater().State(); s.Last == nil || s.Last.Outcome != update.Refused || !strings.Contains(s.Last.Reason, want) {
		l.t.Errorf("%s: the state is %+v", want, s)
	}
	if l.d.Spooled() {
		l.t.Errorf("%s: the bundle lies around", want)
	}
}

func TestRefusedBeforeAByteIsWritten(t *testing.T) {
	root := updatetest.NewRoot("v1.1.0", rootSize)
	for want, change := range map[string]func(*bundle.Manifest){
		"for the board qemu-arm64":       func(m *bundle.Manifest) { m.Board = "qemu-arm64" },
		"for riscv64 processors":         func(m *bundle.Manifest) { m.Arch = "riscv64" },
		"a kernel cannot be updated":     func(m *bundle.Manifest) { m.Kernel.SHA256 = updatetest.Digest("newer") },
		"brings another guard":           func(m *bundle.Manifest) { m.Guard = updatetest.Digest("other") },
		"older than what runs":           func(m *bundle.Manifest) { m.Version = "v0.9.0" },
		"nothing older than v0.5.0":      func(m *bundle.Manifest) { m.Version = "v0.4.0" },
		"v0.9.0-rc.1; after v1.0.0 this": func(m *bundle.Manifest) { m.Version = "v0.9.0-rc.1" },
	} {
		alive(t, func(t *testing.T, l *life) {
			minimum := "v0.5.0"
			if strings.Contains(want, "rc.1") {
				minimum = "v0.9.0"
			}
			l.end()
			l.d.About.Minimum = minimum
			l.begin()
			l.refused(l.bundleOf("v1.1.0", root, change), want)
		})
	}
}

func TestUnsignedForeignAndDamagedAreRefused(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		root := updatetest.NewRoot("v1.1.0", rootSize)
		good := l.bundleOf("v1.1.0", root)
		l.refused(bytes.Replace(good, []byte("untrusted comment"), []byte("entrusted comment"), 1), "not signed")
		l.refused([]byte("<html>not found</html>"), "not a Prompt64 update")
		l.refused(nil, "not a Prompt64 update")
		l.refused(good[:len(good)/2], "cut short")
		flipped := bytes.Clone(good)
		flipped[len(flipped)/2] ^= 4
		l.refused(flipped, "damaged")
		_, stranger, err := minisign.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		mine := maker.private
		maker.private = stranger
		foreign := l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize, "foreign"))
		maker.private = mine
		l.refused(foreign, "a key that this device does not know")
	})
}

func TestUpdateThatDoesNotFitIsRefused(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		data := l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))
		l.d.Change(func(d *updatetest.Device) { d.SlotBytes = rootSize / 2 })
		l.refused(data, "its partition has")
		l.d.Change(func(d *updatetest.Device) { d.SlotBytes, d.SpareBytes = 1<<20, 100 })
		l.refused(data, "the card has room for")
	})
}

func TestOwnerMayAllowOlderVersionsAndAnotherGuard(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		for version, consent := range map[string]update.Consent{"v0.9.0": {Older: true}, "v1.5.0": {Guard: true, Older: true}} {
			data := l.bundleOf(version, updatetest.NewRoot(version, rootSize), func(m *bundle.Manifest) {
				m.Minimum = "v0.1.0"
				if consent.Guard {
					m.Guard = updatetest.Digest("other")
				}
			})
			if err := l.send(data, consent); err != nil {
				t.Fatal(err)
			}
			l.settle()
			l.expect(version, update.Settled, update.Installed)
		}
	})
}

func TestWhatAVersionRulesOutIsRefusedFromThenOn(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		data := l.bundleOf("v1.5.0", updatetest.NewRoot("v1.5.0", rootSize), func(m *bundle.Manifest) { m.Minimum = "v1.4.0" })
		if err := l.send(data); err != nil {
			t.Fatal(err)
		}
		l.settle()
		l.expect("v1.5.0", update.Settled, update.Installed)
		l.refused(l.bundleOf("v1.3.0", updatetest.NewRoot("v1.3.0", rootSize)), "nothing older than v1.4.0", update.Consent{Older: true})
		if err := l.updater().Revert(t.Context()); err == nil || !strings.Contains(err.Error(), "the oldest that this device still takes") {
			t.Errorf("Revert: %v", err)
		}
	})
}

func TestUploadThatBreaksOffIsForgotten(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		data := l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))
		half := io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(errors.New("the browser went away")))
		time.Sleep(time.Second)
		if err := l.updater().Receive(t.Context(), half, int64(len(data)), update.Consent{}); err == nil {
			t.Error("half an upload was taken")
		}
		l.upgrade("v1.1.0")
		l.expect("v1.1.0", update.Settled, update.Installed)
	})
}

func TestCardThatForgetsIsNoticed(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		l.d.Change(func(d *updatetest.Device) { d.Forgets = true })
		l.upgrade("v1.1.0")
		if s := l.expect("v1.0.0", update.Idle, update.Failed); !strings.Contains(s.Last.Reason, "try another card") {
			t.Errorf("the reason is %q", s.Last.Reason)
		}
	})
}

func TestUnreadableRecordIsReplaced(t *testing.T) {
	for _, text := range []string{"{", "[]", `{"phase": 7}`, "\x00\x00\x00"} {
		alive(t, func(t *testing.T, l *life) {
			l.end()
			l.d.SetRecord([]byte(text))
			l.begin()
			l.upgrade("v1.1.0")
			l.expect("v1.1.0", update.Settled, update.Installed)
		})
	}
}

func TestStatusIsInFewWords(t *testing.T) {
	for want, s := range map[string]update.State{
		"":                                   {Phase: update.Idle},
		"write v1.1.0":                       {Phase: update.Write, To: "v1.1.0"},
		"armed, waits for a turn":            {Phase: update.Armed, Waits: "a turn"},
		"trial: no clock":                    {Phase: update.Trial, Trouble: "no clock"},
		"installed v1.1.0":                   {Phase: update.Settled, Last: &update.Result{Outcome: update.Installed, Version: "v1.1.0"}},
		"rolled back: the bridge was silent": {Phase: update.RolledBack, Last: &update.Result{Outcome: update.WentBack, Reason: "the bridge was silent"}},
	} {
		if got := s.Status(); got != want {
			t.Errorf("the status is %q, want %q", got, want)
		}
	}
}
