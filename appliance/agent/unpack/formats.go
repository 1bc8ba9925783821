package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// opener walks one kind of archive and shows every entry to a picker.
type opener func(Archive, *picker) error

var magics = []struct {
	magic string
	open  opener
}{
	{"\x1f\x8b", openGzip},
	{"\x28\xb5\x2f\xfd", openZstd},
	{"PK\x03\x04", openZip},
}

// recognize tells the kind of an archive by its first bytes.
func recognize(a Archive) (opener, error) {
	head := make([]byte, 4)
	n, err := a.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for _, m := range magics {
		if bytes.HasPrefix(head[:n], []byte(m.magic)) {
			return m.open, nil
		}
	}
	return nil, ErrFormat
}

func openGzip(a Archive, p *picker) error {
	if _, err := a.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := gzip.NewReader(a)
	if err != nil {
		return err
	}
	return walkTar(r, p)
}

func openZstd(a Archive, p *picker) error {
	if _, err := a.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := zstd.NewReader(a, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return err
	}
	defer r.Close()
	return walkTar(r, p)
}

// walkTar reads a tar stream, what is passed over included, within the limits.
func walkTar(r io.Reader, p *picker) error {
	bounded := &bound{r: r, left: p.limits.Total}
	t := tar.NewReader(bounded)
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("read archive: %w", err)
		}
		e := entry{
			name:    h.Name,
			size:    h.Size,
			regular: h.Typeflag == tar.TypeReg,
			open:    func() (io.ReadCloser, error) { return io.NopCloser(t), nil },
		}
		if err := p.take(e); err != nil {
			return err
		}
	}
}

// openZip reads a zip archive by its directory. Entries that nobody wants are
// not inflated, so only the wanted ones count.
func openZip(a Archive, p *picker) error {
	size, err := a.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	z, err := zip.NewReader(a, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // take judges the names
		return fmt.Errorf("read archive: %w", err)
	}
	left := p.limits.Total
	for _, f := range z.File {
		if f.UncompressedSize64 > uint64(p.limits.Total) {
			return errTooMuch(p.limits.Total)
		}
		e := entry{
			name:    f.Name,
			size:    int64(f.UncompressedSize64),
			regular: f.Mode().IsRegular(),
			open: func() (io.ReadCloser, error) {
				if left -= int64(f.UncompressedSize64); left < 0 {
					return nil, errTooMuch(p.limits.Total)
				}
				return f.Open()
			},
		}
		if err := p.take(e); err != nil {
			return err
		}
	}
	return nil
}

func errTooMuch(limit int64) error {
	return fmt.Errorf("the archive unpacks to more than %d bytes", limit)
}

// bound ends a stream that grows beyond the limit with an error, not with an
// end that a tar reader could take for the archive's own.
type bound struct {
	r    io.Reader
	left int64
	read int64
}

func (b *bound) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch(b.read)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.read += int64(n)
	return n, err
}
