package image

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/push"
	"github.com/prompt64/prompt64/image/nbd"
)

// backWithin is how long after an update was taken the former version must be back,
// on a computer that starts a machine within usualStart. On a busier one the device
// has less of the processor, and its minutes are longer by as much.
const (
	backWithin = 8 * time.Minute
	usualStart = 20 * time.Second
)

// Updates that do no good, each in its way, are gone within minutes, and nobody had
// to touch the device. The ways but for the last two are those of the program in
// image/internal/bad.
func TestFormerVersionIsBackAfterABadUpdate(t *testing.T) {
	needsLong(t)
	for _, way := range []string{"crash", "loop", "hang", "silent", "idle", "panic", "memory", "wrong version", "no root"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			file := badUpdate(t, way)
			ctx := within(t, 4*patience)
			card, began := copyImage(t, releaseOf(t, oldVersion).image), time.Now()
			d := start(t, card, nbd.Fault{After: -1}, way)
			d.ready(t, ctx)
			slow := max(1, time.Since(began).Seconds()/usualStart.Seconds())
			o := d.options(t, file)
			note, taken := o.Note, time.Now()
			o.Note = func(words string) {
				note(words)
				if strings.HasPrefix(words, string(update.Write)) {
					taken = time.Now()
				}
			}
			err := push.Run(ctx, o)
			took := time.Since(taken)
			if err == nil || !strings.Contains(err.Error(), string(update.WentBack)) {
				t.Errorf("it ended with %v", err)
			}
			if took.Seconds() > backWithin.Seconds()*slow {
				t.Errorf("the former version is back after %v, on a computer that is %.1f times slower than usual", took, slow)
			}
			if s := d.rest(t, ctx); s.Running != oldVersion || s.Phase != update.RolledBack {
				t.Errorf("in the end: %+v", s)
			}
			attach(t, ctx, d.VM)
			if program := "the bad bridge starts, to fail by " + way; len(strings.Fields(way)) == 1 && !strings.Contains(d.Console(), program) {
				t.Error("the bad version was never tried")
			}
			d.stop(t, oldVersion)
			t.Logf("back after %.0f s, on a computer that is %.1f times slower than usual: %v", took.Seconds(), slow, err)
		})
	}
}

// badUpdate is the bundle for a way to fail.
func badUpdate(t *testing.T, way string) string {
	t.Helper()
	switch way {
	case "wrong version": // it does well, and is another version than was announced
		m := releaseOf(t, newVersion)
		return forged(t, m, func(f *bundle.Manifest) { f.Version = badVersion }, root(t, m))
	case "no root":
		return forged(t, releaseOf(t, newVersion), func(*bundle.Manifest) {}, []byte(strings.Repeat("no root ", 1<<20)))
	}
	return releaseOf(t, badVersion).bundle
}

// root is the root of a release.
func root(t *testing.T, m made) []byte {
	t.Helper()
	p := parts(t, m.image)[slotA]
	p.To = p.From + m.manifest.Root.Size
	return content(t, m.image, p)
}

// forged is a bundle that its maker signed and should not have.
func forged(t *testing.T, m made, change func(*bundle.Manifest), root []byte) string {
	t.Helper()
	dir, err := keys()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "update.key"))
	if err != nil {
		t.Fatal(err)
	}
	var key minisign.PrivateKey
	if err := key.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "forged.p64u"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	manifest := m.manifest
	change(&manifest)
	if err := bundle.Write(f, manifest, strings.NewReader(string(root)), key); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
