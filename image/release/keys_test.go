package release

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/prompt64/prompt64/appliance/update/bundle"
)

func TestKeysAreMadeOnceAndKeptFromOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	if err := MakeKeys(dir, ""); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, privateName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the private key: %v, %v", info.Mode(), err)
	}
	before, _ := os.ReadFile(filepath.Join(dir, privateName))
	if err := MakeKeys(dir, ""); err == nil || !strings.Contains(err.Error(), "never replaced") {
		t.Errorf("MakeKeys again: %v", err)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, privateName)); string(after) != string(before) {
		t.Error("the private key was replaced")
	}
	keys, err := bundle.LoadKeys(os.DirFS(dir), ".")
	if err != nil || len(keys) != 1 || keys[0].Name != "update" {
		t.Errorf("the public keys: %v, %v", keys, err)
	}
	private, err := privateKey(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	message := []byte("a message")
	if !minisign.Verify(keys[0].Public, message, minisign.Sign(private, message)) {
		t.Error("the keys do not belong together")
	}
}

func TestPrivateKeyWithAPasswordWantsIt(t *testing.T) {
	dir := t.TempDir()
	if err := MakeKeys(dir, "c64"); err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]error{"": ErrPassword, "vic20": ErrPassword, "c64": nil} {
		if _, err := privateKey(dir, password); !errors.Is(err, want) {
			t.Errorf("with %q: %v", password, err)
		}
	}
}

func TestWithoutAPrivateKeyItSaysHowToMakeOne(t *testing.T) {
	if _, err := privateKey(t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "--make-keys") {
		t.Errorf("privateKey: %v", err)
	}
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := MakeKeys(dir, ""); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "card.img")
	if err := os.WriteFile(path, make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Bundle(path, dir, "", filepath.Join(dir, "out.p64u")); err == nil || !strings.Contains(err.Error(), "card.img") {
		t.Errorf("Bundle: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "out.p64u")); err == nil {
		t.Error("something was left behind")
	}
}
