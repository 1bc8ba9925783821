package unpack

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// File is a file that is wanted from an archive.
type File struct {
	Name       string // within the root, such as bin/tool
	Executable bool
	Optional   bool
}

// Sink takes one wanted file. It reads r to the end or returns an error.
type Sink func(f File, size int64, r io.Reader) error

// ErrFormat says that a file is no archive of a known kind.
var ErrFormat = errors.New("neither a tar archive with gzip or zstd nor a zip archive")

// Archive is a file that can be read from any place, such as an *os.File.
type Archive interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Unpack reads an archive and hands the wanted files to sink, in the archive's
// order. The files may stand in any one of the roots: folders within the
// archive, "" for its top. A wanted file that is missing is an error unless it
// is optional.
func Unpack(a Archive, wanted []File, roots []string, limits Limits, sink Sink) error {
	open, err := recognize(a)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	p := &picker{wanted: wanted, roots: roots, limits: limits, sink: sink, seen: map[string]bool{}}
	if err := open(a, p); err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	return p.finish()
}

// entry is one member of an archive, of any kind.
type entry struct {
	name    string
	size    int64
	regular bool
	open    func() (io.ReadCloser, error)
}

// picker decides about each entry.
type picker struct {
	wanted []File
	roots  []string
	limits Limits
	sink   Sink

	seen    map[string]bool // names of wanted files that were handed on
	root    string          // the root that the first wanted file stood in
	entries int
}

// take hands an entry on, passes over it, or refuses the archive.
func (p *picker) take(e entry) error {
	if p.entries++; p.entries > p.limits.Entries {
		return fmt.Errorf("the archive has more than %d entries", p.limits.Entries)
	}
	name, err := localName(e.name)
	if err != nil {
		return err
	}
	f, root, ok := p.match(name)
	switch {
	case !ok:
		return nil
	case !e.regular:
		return fmt.Errorf("%q is no plain file in the archive", e.name)
	case len(p.seen) > 0 && root != p.root, p.seen[f.Name]:
		return fmt.Errorf("%s is in the archive twice", f.Name)
	case e.size < 0 || e.size > p.limits.File:
		return fmt.Errorf("%s has %d bytes, more than the %d that are allowed", f.Name, e.size, p.limits.File)
	}
	p.root, p.seen[f.Name] = root, true
	return p.hand(f, e)
}

// hand passes exactly the bytes that the entry announced to the sink.
func (p *picker) hand(f File, e entry) error {
	r, err := e.open()
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer r.Close()
	count := &counter{r: r, left: e.size}
	if err := p.sink(f, e.size, count); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if count.left != 0 {
		return fmt.Errorf("%s: %d bytes short", f.Name, count.left)
	}
	return nil
}

// match finds the wanted file that a name means.
func (p *picker) match(name string) (f File, root string, ok bool) {
	for _, root := range p.roots {
		rest, ok := strings.CutPrefix(name, root)
		if !ok {
			continue
		}
		if i := slices.IndexFunc(p.wanted, func(f File) bool { return f.Name == rest }); i >= 0 {
			return p.wanted[i], root, true
		}
	}
	return File{}, "", false
}

// finish reports wanted files that did not come.
func (p *picker) finish() error {
	var missing []string
	for _, f := range p.wanted {
		if !f.Optional && !p.seen[f.Name] {
			missing = append(missing, f.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("unpack: the archive lacks %s", strings.Join(missing, ", "))
	}
	return nil
}

// localName cleans an entry's name and refuses one that leaves the archive's
// folder, though only names that are wanted are ever used.
func localName(name string) (string, error) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	clean := path.Clean(slashed)
	if path.IsAbs(slashed) || clean == ".." || strings.HasPrefix(clean, "../") || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("the archive names %q, a path outside itself", name)
	}
	return clean, nil
}

// counter reads at most left bytes.
type counter struct {
	r    io.Reader
	left int64
}

func (c *counter) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n, err := c.r.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	if err == io.EOF && c.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
