package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"aead.dev/minisign"
	"github.com/klauspost/compress/zstd"
)

// What is wrong with a bundle, as far as callers and their words differ.
var (
	// ErrNotABundle says that a file is something else, or begins damaged.
	ErrNotABundle = errors.New("this is not a Prompt64 update (a .p64u file)")
	// ErrUnsigned says that the signature is missing or no signature at all.
	ErrUnsigned = errors.New("the update is not signed")
	// ErrUntrusted says that none of the keys made the signature.
	ErrUntrusted = errors.New("the update is signed with a key that this device does not know")
	// ErrDamaged says that the root is not what the manifest says.
	ErrDamaged = errors.New("the update is damaged or was cut short; fetch it again")
)

// Names of the members.
const (
	manifestName  = "manifest.json"
	signatureName = manifestName + ".minisig"
	rootName      = "root.squashfs.zst"
)

// windowSize bounds the memory that unpacking takes.
const windowSize = 8 << 20

// Bundle is a bundle whose manifest is signed by a known key.
type Bundle struct {
	Manifest Manifest
	Signer   string // the name of the key

	packed *io.SectionReader
}

// Open reads all but the root. It returns one of the errors above, or one about
// the manifest, unless the signature is good and by one of the keys.
func Open(r io.ReaderAt, size int64, keys []Key) (*Bundle, error) {
	file := io.NewSectionReader(r, 0, size)
	in := tar.NewReader(file)
	manifest, err := member(in, manifestName, maxManifest)
	if err != nil {
		return nil, ErrNotABundle
	}
	signature, err := member(in, signatureName, maxSignature)
	if err != nil {
		return nil, ErrUnsigned
	}
	if new(minisign.Signature).UnmarshalText(signature) != nil {
		return nil, ErrUnsigned
	}
	key, ok := signer(keys, manifest, signature)
	if !ok {
		return nil, ErrUntrusted
	}
	m, err := parseManifest(manifest)
	if err != nil {
		return nil, err
	}
	root, err := in.Next()
	if err != nil || root.Name != rootName {
		return nil, ErrDamaged
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil || start+root.Size > size {
		return nil, ErrDamaged
	}
	return &Bundle{Manifest: m, Signer: key.Name, packed: io.NewSectionReader(r, start, root.Size)}, nil
}

// member reads the next member, which must have this name.
func member(in *tar.Reader, name string, limit int64) ([]byte, error) {
	header, err := in.Next()
	if err != nil {
		return nil, err
	}
	if header.Name != name || header.Size > limit {
		return nil, fmt.Errorf("%q with %d bytes stands where %s should", header.Name, header.Size, name)
	}
	var data bytes.Buffer
	_, err = io.Copy(&data, io.LimitReader(in, limit))
	return data.Bytes(), err
}

// CopyRoot unpacks the root into w, and returns ErrDamaged unless it is to the byte
// what the manifest says; w has got a part of something else then. It never gives w
// more than the manifest's size. Other errors are those of w and ctx.
func (b *Bundle) CopyRoot(ctx context.Context, w io.Writer) error {
	in, err := zstd.NewReader(io.NewSectionReader(b.packed, 0, b.packed.Size()),
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(windowSize))
	if err != nil {
		return ErrDamaged
	}
	defer in.Close()
	digest := sha256.New()
	out := &sink{w: io.MultiWriter(digest, w), ctx: ctx}
	n, err := io.CopyBuffer(out, io.LimitReader(in, b.Manifest.Root.Size+1), make([]byte, 256<<10))
	switch {
	case out.err != nil:
		return out.err
	case err != nil, n != b.Manifest.Root.Size, hex.EncodeToString(digest.Sum(nil)) != b.Manifest.Root.SHA256:
		return ErrDamaged
	}
	return nil
}

// sink tells errors of writing from those of reading, and ends when told to.
type sink struct {
	w   io.Writer
	ctx context.Context
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err = s.ctx.Err(); s.err != nil {
		return 0, s.err
	}
	var n int
	n, s.err = s.w.Write(p)
	return n, s.err
}

// Verify unpacks the root to nowhere. It returns ErrDamaged, or the error of ctx.
func (b *Bundle) Verify(ctx context.Context, progress func(bytes int64)) error {
	return b.CopyRoot(ctx, &counter{report: progress})
}

// counter reports how many bytes went by.
type counter struct {
	n      int64
	report func(int64)
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	c.report(c.n)
	return len(p), nil
}
