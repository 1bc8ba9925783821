package debs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Renew returns a new lock file, of what apt's sources have now for these
// architectures. Packages that it downloaded stay in the cache folder.
func Renew(ctx context.Context, cache string, archs ...string) (string, error) {
	var all []Package
	for _, arch := range archs {
		packages, err := renew(ctx, cache, arch)
		if err != nil {
			return "", fmt.Errorf("lock packages for %s: %w", arch, err)
		}
		all = append(all, packages...)
	}
	return formatLock(all), nil
}

func renew(ctx context.Context, cache, arch string) ([]Package, error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(cache, ".apt-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	a, err := newApt(temp, arch)
	if err != nil {
		return nil, err
	}
	if err := a.run(ctx, "update"); err != nil {
		return nil, err
	}
	words := append([]string{"install", "--download-only", "--no-install-recommends"}, wanted...)
	if err := a.run(ctx, words...); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(a.archives(), "*.deb"))
	if err != nil {
		return nil, err
	}
	var packages []Package
	for _, from := range found {
		p := Package{Arch: arch, File: filepath.Base(from)}
		if p.Name, p.Version, err = nameOf(p.File); err != nil {
			return nil, err
		}
		if isUnwanted(p.Name) {
			continue
		}
		if p.SHA256, p.Bytes, err = digest(from); err != nil {
			return nil, err
		}
		if err := os.Rename(from, filepath.Join(cache, p.SHA256+".deb")); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b Package) int { return cmp.Compare(a.Name, b.Name) })
	return packages, nil
}
