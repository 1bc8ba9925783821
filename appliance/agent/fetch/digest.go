package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Digest is the SHA-256 of a file.
type Digest [sha256.Size]byte

// ParseDigest reads a digest of 64 hexadecimal digits, with or without the word
// sha256: before it.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	text := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "sha256:")
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(d) {
		return d, fmt.Errorf("%q is no SHA-256: write it as %d hexadecimal digits", s, 2*len(d))
	}
	return Digest(b), nil
}

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Sum reads r to its end and returns its digest and length.
func Sum(r io.Reader) (Digest, int64, error) {
	h := sha256.New()
	n, err := io.CopyBuffer(h, r, make([]byte, bufferSize))
	return Digest(h.Sum(nil)), n, err
}
