package fetch

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// part is a file that is being fetched, and what is known about its source. It
// is named after its digest, so that another file never continues it.
type part struct {
	dir    string
	digest Digest
}

// source tells whether a later answer is about the same file.
type source struct {
	Address   string `json:"address"` // a digest of it: an address may hold a signature
	Validator string `json:"validator"`
}

func (p part) path() string { return filepath.Join(p.dir, p.digest.String()+".part") }

func (p part) sourcePath() string { return filepath.Join(p.dir, p.digest.String()+".json") }

// open opens the file as it was left; never through a link.
func (p part) open() (*os.File, error) {
	return os.OpenFile(p.path(), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
}

func (p part) remove() error {
	var errs []error
	for _, path := range []string{p.path(), p.sourcePath()} {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// validator returns what the kept bytes were sent with, empty if that is unknown
// or came from another address.
func (p part) validator(address string) string {
	text, err := os.ReadFile(p.sourcePath())
	var s source
	if err != nil || json.Unmarshal(text, &s) != nil || s.Address != addressKey(address) {
		return ""
	}
	return s.Validator
}

// note keeps the validator, before the first byte that it is about.
func (p part) note(address, validator string) error {
	text, err := json.Marshal(source{addressKey(address), validator})
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(p.sourcePath(), text, 0o600); err != nil {
		return fmt.Errorf("keep the download's source: %w", err)
	}
	return nil
}

func addressKey(address string) string {
	return Digest(sha256.Sum256([]byte(address))).String()
}

// have is the number of bytes that are kept.
func (g *get) have() int64 {
	info, err := g.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// drop forgets the kept bytes and where they came from.
func (g *get) drop() error {
	if err := os.Remove(g.part.sourcePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return g.file.Truncate(0)
}

func (g *get) sum() (Digest, int64, error) {
	if _, err := g.file.Seek(0, io.SeekStart); err != nil {
		return Digest{}, 0, err
	}
	return Sum(g.file)
}
