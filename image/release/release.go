package release

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/prompt64/prompt64/appliance/update/bundle"
)

// Bundle makes a bundle of an image and signs it with the private key in a folder.
// Nothing is at the output's name until it is complete. It returns what it made.
func Bundle(image, keys, password, output string) (m bundle.Manifest, err error) {
	c, err := open(image)
	if err != nil {
		return m, err
	}
	defer c.close()
	key, err := privateKey(keys, password)
	if err != nil {
		return m, err
	}
	f, err := renameio.NewPendingFile(output, renameio.WithPermissions(0o644))
	if err != nil {
		return m, err
	}
	defer func() { _ = f.Cleanup() }()
	if err := bundle.Write(f, c.manifest(), c.root(), key); err != nil {
		return m, err
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return m, err
	}
	return check(output, keys)
}

// check reads a bundle as a device does.
func check(path, keys string) (bundle.Manifest, error) {
	known, err := bundle.LoadKeys(os.DirFS(keys), ".")
	if err != nil {
		return bundle.Manifest{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return bundle.Manifest{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return bundle.Manifest{}, err
	}
	b, err := bundle.Open(f, info.Size(), known)
	if errors.Is(err, bundle.ErrUntrusted) {
		return bundle.Manifest{}, fmt.Errorf("%s does not belong to the private key beside it", filepath.Join(keys, PublicName))
	}
	if err != nil {
		return bundle.Manifest{}, fmt.Errorf("read the bundle again: %w", err)
	}
	return b.Manifest, nil
}
