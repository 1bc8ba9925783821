package fat

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// longPerEntry is how many characters of a long name an entry holds.
const longPerEntry = 13

// Add puts a file into the root folder, in one piece. Its name is ASCII; a name
// that is there already, in whatever case, is refused.
func (v *Volume) Add(name string, content []byte, modified time.Time) error {
	entries, err := newEntries(name, modified)
	if err != nil {
		return err
	}
	root, err := v.readRoot()
	if err != nil {
		return err
	}
	short, end := shortText(entries[len(entries)-entrySize:]), 0
	for e := range each(root) {
		if e[0] != deleted && e[11] != attrLongName && shortText(e) == short {
			return fmt.Errorf("add %s to FAT: %s is there already", name, short)
		}
		end += entrySize
	}
	if end+len(entries) > len(root) {
		return fmt.Errorf("add %s to FAT: the folder is full", name)
	}
	first, err := v.store(content)
	if err != nil {
		return fmt.Errorf("add %s to FAT: %w", name, err)
	}
	last := entries[len(entries)-entrySize:]
	le.PutUint16(last[26:], first)
	le.PutUint32(last[28:], uint32(len(content)))
	copy(root[end:], entries)
	return v.write(root, v.rootStart())
}

// store writes content into free clusters that lie side by side.
func (v *Volume) store(content []byte) (uint16, error) {
	if len(content) == 0 {
		return 0, nil
	}
	table, err := v.readTable()
	if err != nil {
		return 0, err
	}
	size := v.perCluster * sectorSize
	need := (int64(len(content)) + size - 1) / size
	var run int64
	for c := int64(2); c < v.clusters()+2; c++ {
		if run++; table[c] != 0 {
			run = 0
		}
		if run < need {
			continue
		}
		first := c - need + 1
		for i := first; i < c; i++ {
			table[i] = uint16(i + 1)
		}
		table[c] = endOfChain
		padded := append(content[:len(content):len(content)], make([]byte, need*size-int64(len(content)))...)
		if err := v.write(padded, v.dataStart()+(first-2)*v.perCluster); err != nil {
			return 0, err
		}
		return uint16(first), v.writeTable(table)
	}
	return 0, errors.New("not enough room in one piece")
}

// newEntries makes the entries of a file: those of its long name, then the one
// with the short name.
func newEntries(name string, modified time.Time) ([]byte, error) {
	base, ext, _ := strings.Cut(name, ".")
	for _, c := range name {
		if c <= ' ' || c > '~' || strings.ContainsRune(`"*/:<>?\|+,;=[]`, c) {
			return nil, fmt.Errorf("add %q to FAT: names have plain ASCII characters", name)
		}
	}
	if base == "" || len(name) > 255 || strings.Contains(ext, ".") {
		return nil, fmt.Errorf("add %q to FAT: names look like name.ext", name)
	}
	short := shortName(base, ext)
	var out []byte
	units := append(utf16.Encode([]rune(name)), 0)
	count := (len(units) + longPerEntry - 1) / longPerEntry
	if len(name)%longPerEntry == 0 { // then the name has no end mark
		units, count = units[:len(name)], len(name)/longPerEntry
	}
	for n := count; n >= 1; n-- {
		out = append(out, longEntry(units, n, n == count, checksum(short))...)
	}
	e := make([]byte, entrySize)
	copy(e, short[:])
	e[11] = attrArchive
	t := modified.UTC()
	clock := uint16(t.Hour()<<11 | t.Minute()<<5 | t.Second()/2)
	day := uint16(max(t.Year()-1980, 0)<<9 | int(t.Month())<<5 | t.Day())
	le.PutUint16(e[14:], clock)
	le.PutUint16(e[16:], day)
	le.PutUint16(e[18:], day)
	le.PutUint16(e[22:], clock)
	le.PutUint16(e[24:], day)
	return append(out, e...), nil
}

// shortName is the 8.3 name; one that had to be shortened ends in ~1.
func shortName(base, ext string) (short [11]byte) {
	copy(short[:], "           ")
	if len(base) > 8 || len(ext) > 3 {
		base = base[:min(len(base), 6)] + "~1"
	}
	copy(short[:8], strings.ToUpper(base))
	copy(short[8:], strings.ToUpper(ext))
	return short
}

// checksum ties a long name to its short one.
func checksum(short [11]byte) (sum byte) {
	for _, c := range short {
		sum = sum<<7 + sum>>1 + c
	}
	return sum
}

// longEntry is the n-th piece of a long name, counted from 1.
func longEntry(units []uint16, n int, last bool, sum byte) []byte {
	e := make([]byte, entrySize)
	e[0], e[11], e[13] = byte(n), attrLongName, sum
	if last {
		e[0] |= 0x40
	}
	for i := range longPerEntry {
		at := 1 + 2*i
		if i >= 5 {
			at = 14 + 2*(i-5)
		}
		if i >= 11 {
			at = 28 + 2*(i-11)
		}
		unit := uint16(0xffff)
		if k := (n-1)*longPerEntry + i; k < len(units) {
			unit = units[k]
		}
		le.PutUint16(e[at:], unit)
	}
	return e
}
