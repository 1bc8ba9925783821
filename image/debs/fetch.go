package debs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Fetch returns the files of packages of one architecture, in their order. They come
// from the cache folder, or else from apt's sources into it.
func Fetch(ctx context.Context, cache string, packages []Package) ([]string, error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	var missing []Package
	files := make([]string, len(packages))
	for i, p := range packages {
		files[i] = filepath.Join(cache, p.SHA256+".deb")
		if err := verify(files[i], p); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, p)
		} else if err != nil {
			return nil, fmt.Errorf("%w; remove it and try again", err)
		}
	}
	if len(missing) == 0 {
		return files, nil
	}
	temp, err := os.MkdirTemp(cache, ".apt-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	a, err := newApt(temp, missing[0].Arch)
	if err != nil {
		return nil, err
	}
	return files, a.download(ctx, missing, cache)
}

// download puts packages into the cache.
func (a *apt) download(ctx context.Context, packages []Package, cache string) error {
	if err := a.run(ctx, "update"); err != nil {
		return err
	}
	words := []string{"download"}
	for _, p := range packages {
		words = append(words, p.Name+"="+p.Version)
	}
	if err := a.run(ctx, words...); err != nil {
		return fmt.Errorf("%w\nthe package sources of this computer may have newer versions than image/debs/lock.tsv: scripts/image-lock takes them", err)
	}
	for _, p := range packages {
		from := filepath.Join(a.archives(), p.File)
		if err := verify(from, p); err != nil {
			return err
		}
		b, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := renameio.WriteFile(filepath.Join(cache, p.SHA256+".deb"), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// verify compares a file with what is locked.
func verify(name string, p Package) error {
	sum, size, err := digest(name)
	if err != nil {
		return err
	}
	if sum != p.SHA256 || size != p.Bytes {
		return fmt.Errorf("package %s %s: %s has the digest %s, and %s is locked", p.Name, p.Version, name, sum, p.SHA256)
	}
	return nil
}

func digest(name string) (sum string, size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}
