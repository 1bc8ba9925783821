package bundle

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	mathrand "math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"aead.dev/minisign"
	"github.com/google/go-cmp/cmp"
)

// somebody makes a pair of keys.
func somebody(t *testing.T) (Key, minisign.PrivateKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return Key{"maker", public}, private
}

func someManifest() Manifest {
	digest := strings.Repeat("ab", 32)
	return Manifest{
		Version: "v1.2.3", Minimum: "v1.0.0", Board: "rpi", Arch: "arm64",
		Kernel: Kernel{"6.12.47-v8", digest}, Guard: digest,
	}
}

// someRoot has parts that pack well and parts that do not.
func someRoot() []byte {
	noise := make([]byte, 300<<10)
	_, _ = mathrand.NewChaCha8([32]byte{1}).Read(noise)
	return append(bytes.Repeat([]byte("squash"), 100<<10), noise...)
}

func made(t *testing.T, m Manifest, root []byte, key minisign.PrivateKey) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, m, bytes.NewReader(root), key); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(data []byte, keys ...Key) (*Bundle, error) {
	return Open(bytes.NewReader(data), int64(len(data)), keys)
}

func TestBundleComesBackAsItWasMade(t *testing.T) {
	stranger, _ := somebody(t)
	key, private := somebody(t)
	root := someRoot()
	b, err := open(made(t, someManifest(), root, private), stranger, key)
	if err != nil {
		t.Fatal(err)
	}
	want := someManifest()
	want.Format, want.Root = Format, Root{int64(len(root)), b.Manifest.Root.SHA256}
	if diff := cmp.Diff(want, b.Manifest); diff != "" {
		t.Error(diff)
	}
	for range 2 { // verified first, then written
		var got bytes.Buffer
		if err := b.CopyRoot(t.Context(), &got); err != nil || !bytes.Equal(got.Bytes(), root) {
			t.Errorf("CopyRoot: %v, %d bytes", err, got.Len())
		}
	}
	var last int64
	if err := b.Verify(t.Context(), func(n int64) { last = n }); err != nil || last != int64(len(root)) {
		t.Errorf("Verify: %v at %d", err, last)
	}
}

func TestSameInputGivesTheSameBytes(t *testing.T) {
	_, private := somebody(t)
	if !bytes.Equal(made(t, someManifest(), someRoot(), private), made(t, someManifest(), someRoot(), private)) {
		t.Error("two bundles of one root differ")
	}
}

func TestStrangersBundleIsRefused(t *testing.T) {
	key, _ := somebody(t)
	_, private := somebody(t)
	if _, err := open(made(t, someManifest(), someRoot(), private), key); !errors.Is(err, ErrUntrusted) {
		t.Errorf("Open: %v", err)
	}
	if _, err := open(made(t, someManifest(), someRoot(), private)); !errors.Is(err, ErrUntrusted) {
		t.Errorf("without keys, Open: %v", err)
	}
}

func TestBundleWithoutSignatureIsRefused(t *testing.T) {
	key, private := somebody(t)
	data := made(t, someManifest(), someRoot(), private)
	for name, data := range map[string][]byte{
		"renamed": bytes.Replace(data, []byte(signatureName), []byte("manifest.json.minisog"), 1),
		"no text": bytes.Replace(data, []byte("untrusted comment:"), []byte("entrusted comment:"), 1),
	} {
		if _, err := open(data, key); !errors.Is(err, ErrUnsigned) && !errors.Is(err, ErrNotABundle) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCutBundleIsRefusedWhereverItEnds(t *testing.T) {
	key, private := somebody(t)
	data := made(t, someManifest(), someRoot(), private)
	end := len(data) - 1024 // the archive's own end is two empty blocks
	for n := 0; n < end; n += 1 + n/4 {
		b, err := open(data[:n], key)
		if err == nil {
			err = b.Verify(t.Context(), func(int64) {})
		}
		if err == nil {
			t.Fatalf("cut to %d of %d bytes it was taken", n, len(data))
		}
	}
}

func TestAnyFlippedBitIsNoticed(t *testing.T) {
	key, private := somebody(t)
	good := made(t, someManifest(), someRoot(), private)
	honest, err := open(good, key)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		data := bytes.Clone(good)
		at := mathrand.IntN(len(data))
		data[at] ^= 1 << mathrand.IntN(8)
		b, err := open(data, key)
		if err != nil {
			continue
		}
		var root bytes.Buffer
		if err := b.CopyRoot(t.Context(), &root); err != nil {
			continue
		}
		// A flip that changes nothing that counts, such as a member's date.
		if diff := cmp.Diff(honest.Manifest, b.Manifest); diff != "" || !bytes.Equal(root.Bytes(), someRoot()) {
			t.Fatalf("a flipped bit in byte %d changed the bundle unnoticed: %s", at, diff)
		}
	}
}

func TestNoMoreIsWrittenThanTheManifestSays(t *testing.T) {
	key, private := somebody(t)
	small, large := someRoot(), bytes.Repeat(someRoot(), 3)
	b, err := open(made(t, someManifest(), small, private), key)
	if err != nil {
		t.Fatal(err)
	}
	other, err := open(made(t, someManifest(), large, private), key)
	if err != nil {
		t.Fatal(err)
	}
	b.packed = other.packed // signed for the small one
	var got bytes.Buffer
	if err := b.CopyRoot(t.Context(), &got); !errors.Is(err, ErrDamaged) || got.Len() > len(small)+1 {
		t.Errorf("CopyRoot: %v, %d bytes were written", err, got.Len())
	}
}

func TestErrorOfTheDiskIsNotTakenForDamage(t *testing.T) {
	key, private := somebody(t)
	b, err := open(made(t, someManifest(), someRoot(), private), key)
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	_ = r.CloseWithError(errors.New("no space left"))
	if err := b.CopyRoot(t.Context(), w); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("CopyRoot: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.CopyRoot(gone, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("CopyRoot: %v", err)
	}
}

func TestManifestSaysWhatIsWrongWithIt(t *testing.T) {
	_, private := somebody(t)
	for want, change := range map[string]func(*Manifest){
		"version is":           func(m *Manifest) { m.Version = "1.2" },
		"minimum is":           func(m *Manifest) { m.Minimum = "" },
		"board is":             func(m *Manifest) { m.Board = "../rpi" },
		"arch is":              func(m *Manifest) { m.Arch = "" },
		"kernel has no SHA":    func(m *Manifest) { m.Kernel.SHA256 = "beef" },
		"guard has no SHA-256": func(m *Manifest) { m.Guard = strings.Repeat("x", 64) },
	} {
		m := someManifest()
		change(&m)
		if err := Write(io.Discard, m, bytes.NewReader(someRoot()), private); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := Write(io.Discard, someManifest(), strings.NewReader(""), private); err == nil {
		t.Error("an empty root was packed")
	}
	if _, err := parseManifest([]byte(`{"format": 2}`)); err == nil || !strings.Contains(err.Error(), "this version reads 1") {
		t.Errorf("of another format: %v", err)
	}
}

func TestKeysAreReadFromAFolder(t *testing.T) {
	one, _ := somebody(t)
	two, _ := somebody(t)
	text, err := one.Public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{
		"keys/official.pub": {Data: text},
		"keys/mine.pub":     {Data: []byte(two.Public.String() + "\n")},
		"keys/broken.pub":   {Data: []byte("no key")},
		"keys/huge.pub":     {Data: make([]byte, 1<<20)},
		"keys/README":       {Data: []byte("of no interest")},
	}
	keys, err := LoadKeys(fsys, "keys")
	if err == nil || !strings.Contains(err.Error(), "broken.pub") || !strings.Contains(err.Error(), "huge.pub") {
		t.Errorf("LoadKeys: %v", err)
	}
	if len(keys) != 2 || keys[0].Name != "mine" || !keys[0].Public.Equal(two.Public) || keys[1].Name != "official" {
		t.Errorf("the keys are %v", keys)
	}
	if keys, err := LoadKeys(fsys, "nowhere"); err != nil || len(keys) != 0 {
		t.Errorf("of no folder: %v, %v", keys, err)
	}
}

func FuzzOpen(f *testing.F) {
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, someManifest(), bytes.NewReader([]byte("root")), private); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := open(data, Key{"maker", public})
		if err != nil {
			return
		}
		if b.Manifest.Version != "v1.2.3" {
			t.Errorf("a manifest that nobody signed: %+v", b.Manifest)
		}
		_ = b.CopyRoot(t.Context(), io.Discard)
	})
}
