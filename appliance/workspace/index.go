package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Modes of an index entry.
const (
	modeTree    = 0o040000 // a folder outside a sparse checkout, as one entry
	modeFile    = 0o100644
	modeProgram = 0o100755
	modeLink    = 0o120000
	modeModule  = 0o160000 // a submodule's commit
	modeType    = 0o170000
)

const maxIndex = 64 << 20 // bytes; the largest known repositories stay below

// indexEntry is a tracked path as git's index has it.
type indexEntry struct {
	path         string
	id           string // object id, raw
	mode         uint32
	size         uint32
	mtime, ctime [2]uint32 // seconds, nanoseconds
	stage        uint8     // 0, or 1 to 3 while unmerged
	skip         bool      // git was told to take it for unchanged
	seen         bool      // the scan came across it
}

// index is git's index, sorted by path.
type index struct {
	entries []indexEntry
	split   bool // the rest is in a shared index, which git must merge first
}

var errIndex = fmt.Errorf("index: %w", ErrDamaged)

// parseIndex reads the index format, versions 2 to 4.
func parseIndex(data []byte, idSize int) (*index, error) {
	if len(data) < 12+idSize || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("index version %d: %w", version, ErrUnsupported)
	}
	body := data[12 : len(data)-idSize]
	if uint64(count)*uint64(42+idSize) > uint64(len(body)) {
		return nil, errIndex
	}
	x := &index{entries: make([]indexEntry, 0, count)}
	last := ""
	for range count {
		e, n, err := parseEntry(body, idSize, version, last)
		if err != nil {
			return nil, err
		}
		x.entries = append(x.entries, e)
		body, last = body[n:], e.path
	}
	if x.split = hasExtension(body, "link"); x.split {
		return x, nil // some entries have no path: they replace those of the shared index
	}
	if !slices.ContainsFunc(x.entries, func(e indexEntry) bool { return !validTracked(e) }) {
		return x.sorted(), nil
	}
	return nil, errIndex
}

// sorted puts the entries in order: git does so too, but a file may say anything.
func (x *index) sorted() *index {
	slices.SortStableFunc(x.entries, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) })
	return x
}

func parseEntry(b []byte, idSize int, version uint32, last string) (indexEntry, int, error) {
	fixed := 40 + idSize + 2
	if len(b) < fixed+2 {
		return indexEntry{}, 0, errIndex
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	flags := binary.BigEndian.Uint16(b[40+idSize:])
	e := indexEntry{
		ctime: [2]uint32{word(0), word(1)}, mtime: [2]uint32{word(2), word(3)},
		mode: word(6), size: word(9), id: string(b[40 : 40+idSize]),
		stage: uint8(flags>>12) & 3, skip: flags&0x8000 != 0,
	}
	if flags&0x4000 != 0 {
		if version < 3 {
			return indexEntry{}, 0, errIndex
		}
		e.skip = e.skip || binary.BigEndian.Uint16(b[fixed:])&0x4000 != 0
		fixed += 2
	}
	prefix, n := "", fixed
	if version == 4 {
		drop, size, err := indexVarint(b[fixed:])
		if err != nil || drop > uint64(len(last)) {
			return indexEntry{}, 0, errIndex
		}
		prefix, n = last[:len(last)-int(drop)], fixed+size
	}
	end := bytes.IndexByte(b[n:], 0)
	if end < 0 {
		return indexEntry{}, 0, errIndex
	}
	e.path = prefix + string(b[n:n+end])
	n += end + 1
	if version < 4 {
		n = (n + 7) &^ 7
	}
	if n > len(b) {
		return indexEntry{}, 0, errIndex
	}
	return e, n, nil
}

// indexVarint reads the number of version 4: groups of seven bits, high first,
// where each further group adds one.
func indexVarint(b []byte) (value uint64, size int, err error) {
	for i, c := range b {
		value = value<<7 | uint64(c&0x7F)
		if c&0x80 == 0 {
			return value, i + 1, nil
		}
		if i == 4 {
			break
		}
		value++
	}
	return 0, 0, errors.New("number without an end")
}

// validTracked refuses a path that would lead out of the work tree or into .git.
func validTracked(e indexEntry) bool {
	p := e.path
	if e.mode&modeType == modeTree {
		p = strings.TrimSuffix(p, "/")
	}
	return validPath(p) && !slices.ContainsFunc(strings.Split(p, "/"), isGitName)
}

// validPath says that a slash separated path goes down only. Unlike fs.ValidPath
// it takes names that are no UTF-8.
func validPath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// hasExtension looks for a signature behind the entries.
func hasExtension(b []byte, signature string) bool {
	for len(b) >= 8 {
		if string(b[:4]) == signature {
			return true
		}
		n := uint64(binary.BigEndian.Uint32(b[4:])) + 8
		if n > uint64(len(b)) {
			return false
		}
		b = b[n:]
	}
	return false
}

// under gives the entries beneath a folder; prefix ends in a slash.
func under(entries []indexEntry, prefix string) []indexEntry {
	from, _ := slices.BinarySearchFunc(entries, prefix, func(e indexEntry, p string) int { return strings.Compare(e.path, p) })
	to := from
	for to < len(entries) && strings.HasPrefix(entries[to].path, prefix) {
		to++
	}
	return entries[from:to]
}

// at gives the entries of one path: several while it is unmerged.
func at(entries []indexEntry, name string) []indexEntry {
	from, ok := slices.BinarySearchFunc(entries, name, func(e indexEntry, p string) int { return strings.Compare(e.path, p) })
	if !ok {
		return nil
	}
	to := from
	for to < len(entries) && entries[to].path == name {
		to++
	}
	return entries[from:to]
}
