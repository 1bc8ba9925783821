package agenttest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"

	"github.com/klauspost/compress/zstd"
)

// Formats are the kinds of archive that Archive makes.
var Formats = []string{"tar.gz", "tar.zst", "zip"}

// Entry is one member of an archive: a file, a folder, or a symbolic link.
type Entry struct {
	Name string
	Body string
	Link string // where a symbolic link points
	Dir  bool
}

// Archive makes an archive of one of the Formats.
func Archive(t TB, format string, entries []Entry) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch format {
	case "tar.gz":
		err = writeTar(gzip.NewWriter(&out), entries)
	case "tar.zst":
		var w *zstd.Encoder
		if w, err = zstd.NewWriter(&out); err == nil {
			err = writeTar(w, entries)
		}
	case "zip":
		err = writeZip(&out, entries)
	default:
		t.Fatalf("there is no archive format %q", format)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return out.Bytes()
}

// Digest returns the SHA-256 of data in hexadecimal.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func writeTar(w io.WriteCloser, entries []Entry) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		h := &tar.Header{Name: e.Name, Mode: 0o4777, Typeflag: tar.TypeReg, Size: int64(len(e.Body))}
		switch {
		case e.Dir:
			h.Typeflag = tar.TypeDir
		case e.Link != "":
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.Link
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := io.WriteString(t, e.Body); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return w.Close()
}

func writeZip(w io.Writer, entries []Entry) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.Name, Method: zip.Deflate}
		h.SetMode(0o777)
		body := e.Body
		switch {
		case e.Dir:
			h.Method = zip.Store
			h.SetMode(fs.ModeDir | 0o777)
		case e.Link != "":
			h.SetMode(fs.ModeSymlink | 0o777)
			body = e.Link
		}
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, body); err != nil {
			return err
		}
	}
	return z.Close()
}
