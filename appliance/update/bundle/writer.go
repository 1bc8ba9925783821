package bundle

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"aead.dev/minisign"
	"github.com/klauspost/compress/zstd"
)

// Write writes a bundle of a root and signs it. It fills in the manifest's format
// and root. The same root, manifest and key give the same bytes.
func Write(w io.Writer, m Manifest, root io.Reader, key minisign.PrivateKey) (err error) {
	packed, err := os.CreateTemp("", "root-*.zst")
	if err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	defer func() { err = errors.Join(err, packed.Close(), os.Remove(packed.Name())) }()
	m.Format = Format
	if m.Root, err = pack(packed, root); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	if err := m.check(); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	manifest, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	// The default comments have the time in them.
	signature := minisign.SignWithComments(key, manifest, "Prompt64 "+m.Version+" for "+m.Board, "signature of a Prompt64 update")
	out := tar.NewWriter(w)
	if err := errors.Join(
		put(out, manifestName, manifest),
		put(out, signatureName, signature),
		putFile(out, rootName, packed),
		out.Close(),
	); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	return nil
}

// pack compresses the root.
func pack(w io.Writer, root io.Reader) (Root, error) {
	out, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithWindowSize(windowSize), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return Root{}, err
	}
	digest := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, digest), root)
	if err := errors.Join(err, out.Close()); err != nil {
		return Root{}, err
	}
	return Root{Size: n, SHA256: hex.EncodeToString(digest.Sum(nil))}, nil
}

func put(out *tar.Writer, name string, data []byte) error {
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err := out.Write(data)
	return err
}

func putFile(out *tar.Writer, name string, f *os.File) error {
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size, Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err = io.Copy(out, f)
	return err
}
