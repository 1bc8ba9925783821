package machine

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strings"
)

// Labels are a program's symbols, from the file that ld65 writes with -Ln.
type Labels struct {
	byName map[string]uint16
	sorted []label
}

type label struct {
	addr uint16
	name string
}

// ReadLabels reads lines of the form "al 00080D .start".
func ReadLabels(r io.Reader) (*Labels, error) {
	l := &Labels{byName: map[string]uint16{}}
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		var addr uint32
		var name string
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		if _, err := fmt.Sscanf(sc.Text(), "al %x .%s", &addr, &name); err != nil || addr > 0xffff {
			return nil, fmt.Errorf("labels: line %d: %q is not what ld65 -Ln writes", n, sc.Text())
		}
		l.byName[name] = uint16(addr)
		l.sorted = append(l.sorted, label{uint16(addr), name})
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("labels: read: %w", err)
	}
	sort.SliceStable(l.sorted, func(i, j int) bool { return l.sorted[i].addr < l.sorted[j].addr })
	return l, nil
}

// Addr gives a symbol's address.
func (l *Labels) Addr(name string) (uint16, bool) {
	a, ok := l.byName[name]
	return a, ok
}

// At gives the symbol at or before an address in code, and the distance.
func (l *Labels) At(addr uint16) (name string, off uint16, ok bool) {
	i := sort.Search(len(l.sorted), func(i int) bool { return l.sorted[i].addr > addr })
	for i--; i >= 0; i-- {
		if s := l.sorted[i]; !strings.HasPrefix(s.name, "__") && !strings.HasPrefix(s.name, "@") {
			return s.name, addr - s.addr, true
		}
	}
	return "", 0, false
}

// SetLabels lets failures and the profile speak of symbols.
func (m *Machine) SetLabels(l *Labels) { m.labels = l }

// Where names an address: "$0A12 (frame+5)".
func (m *Machine) Where(addr uint16) string {
	if m.labels != nil && m.loaded.has(addr) {
		if name, off, ok := m.labels.At(addr); ok {
			return fmt.Sprintf("$%04X (%s+%d)", addr, name, off)
		}
	}
	return fmt.Sprintf("$%04X", addr)
}
