package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"aead.dev/minisign"
)

// Key is a public key that bundles may be signed with.
type Key struct {
	Name   string // the file it came from
	Public minisign.PublicKey
}

// maxKey is the size of a public key's file that is read at most.
const maxKey = 4 << 10

// LoadKeys reads the public keys, files that end in .pub, in a folder; a missing
// folder has none. A file that is no key is left out and told of in the error,
// which does no harm to the others.
func LoadKeys(fsys fs.FS, dir string) ([]Key, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	var keys []Key
	var errs []error
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".pub") {
			continue
		}
		key, err := loadKey(fsys, path.Join(dir, entry.Name()))
		if err != nil {
			errs = append(errs, fmt.Errorf("keys: %s: %w", entry.Name(), err))
			continue
		}
		keys = append(keys, Key{strings.TrimSuffix(entry.Name(), ".pub"), key})
	}
	return keys, errors.Join(errs...)
}

func loadKey(fsys fs.FS, name string) (key minisign.PublicKey, err error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return key, err
	}
	if info.Size() > maxKey {
		return key, errors.New("too large for a minisign public key")
	}
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return key, err
	}
	return ParseKey(text)
}

// ParseKey reads a public key as minisign writes it, with or without the line of
// comment.
func ParseKey(text []byte) (key minisign.PublicKey, err error) {
	if err := key.UnmarshalText([]byte(strings.TrimSpace(string(text)))); err != nil {
		return key, fmt.Errorf("not a minisign public key: %w", err)
	}
	return key, nil
}

// signer returns the key that a message was signed with.
func signer(keys []Key, message, signature []byte) (Key, bool) {
	for _, key := range keys {
		if minisign.Verify(key.Public, message, signature) {
			return key, true
		}
	}
	return Key{}, false
}
