package release

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aead.dev/minisign"
)

// Names of the maker's pair of keys, in a folder of their own.
const (
	privateName = "update.key"
	PublicName  = "update.pub"
)

// DefaultKeys is the folder of the maker's keys if no other is named.
func DefaultKeys() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "prompt64"), err
}

// MakeKeys makes a pair of keys in a folder: a private one, which only its owner
// may read, encrypted if there is a password, and a public one for images. It never
// replaces a key.
func MakeKeys(dir, password string) error {
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	text, err := private.MarshalText()
	if err == nil && password != "" {
		text, err = minisign.EncryptKey(password, private)
	}
	if err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	shown, err := public.MarshalText()
	if err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	if err := create(filepath.Join(dir, privateName), text, 0o600); err != nil {
		return err
	}
	return create(filepath.Join(dir, PublicName), append(shown, '\n'), 0o644)
}

func create(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make keys: %s is there already; devices believe in it, so it is never replaced", path)
	}
	if err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	return nil
}

// ErrPassword says that a private key is encrypted with another password, or with
// one at all.
var ErrPassword = errors.New("the private key wants its password")

// privateKey reads a private key.
func privateKey(dir, password string) (minisign.PrivateKey, error) {
	path := filepath.Join(dir, privateName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return minisign.PrivateKey{}, fmt.Errorf("there is no private key %s; make a pair with: scripts/bundle --make-keys", path)
	}
	if err != nil {
		return minisign.PrivateKey{}, err
	}
	if minisign.IsEncrypted(text) {
		if password == "" { // trying it would take a gigabyte and a second
			return minisign.PrivateKey{}, ErrPassword
		}
		key, err := minisign.DecryptKey(password, text)
		if err != nil {
			return key, ErrPassword
		}
		return key, nil
	}
	var key minisign.PrivateKey
	if err := key.UnmarshalText(text); err != nil {
		return key, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}
