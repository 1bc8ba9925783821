package workspace

import (
	"bytes"
	"strconv"
	"strings"
)

// parseRows reads the raw records, then the counts, which come in the same order.
// A list that was cut has rows without counts at its end.
func parseRows(out []byte) []Change {
	f := fields{bytes.Split(out, []byte{0})}
	var rows []Change
	byPath := map[string]int{}
	for f.more() {
		record := f.next()
		if strings.HasPrefix(record, ":") {
			if row := f.raw(record); row.Path != "" {
				byPath[row.Path] = len(rows)
				rows = append(rows, row)
			}
			continue
		}
		added, rest, _ := strings.Cut(record, "\t")
		deleted, name, ok := strings.Cut(rest, "\t")
		if !ok {
			break
		}
		if name == "" { // renamed: the old name and the new one follow
			f.next()
			name = f.next()
		}
		if i, ok := byPath[name]; ok {
			rows[i].Added, rows[i].Deleted, rows[i].Binary = counts(added, deleted)
		}
	}
	return rows
}

// fields are what zero bytes end; what stands behind the last one is none.
type fields struct{ rest [][]byte }

func (f *fields) more() bool { return len(f.rest) > 1 }

func (f *fields) next() string {
	if !f.more() {
		return ""
	}
	s := string(f.rest[0])
	f.rest = f.rest[1:]
	return s
}

// raw reads a record such as ":100644 100644 ID ID M" and the paths behind it.
func (f *fields) raw(record string) Change {
	state := record[strings.LastIndexByte(record, ' ')+1:]
	row := Change{Path: f.next()}
	if state == "" {
		return Change{}
	}
	switch row.State = state[0]; row.State {
	case 'R':
		row.OldPath, row.Path = row.Path, f.next()
	case 'T': // a file became a link, or the other way round
		row.State = 'M'
	}
	return row
}

func counts(added, deleted string) (int, int, bool) {
	a, errA := strconv.Atoi(added)
	d, errD := strconv.Atoi(deleted)
	if errA != nil || errD != nil {
		return 0, 0, true
	}
	return a, d, false
}

// addLarge marks the files that were too large to copy.
func addLarge(rows []Change, large map[string]bool) []Change {
	for i := range rows {
		if large[rows[i].Path] {
			rows[i].Added, rows[i].Deleted, rows[i].Binary, rows[i].large = 0, 0, true, true
			delete(large, rows[i].Path)
		}
	}
	for p := range large {
		rows = append(rows, Change{State: 'M', Binary: true, Path: p, large: true})
	}
	return rows
}

// addUnmerged marks the paths that a merge left open.
func addUnmerged(rows []Change, x *index) []Change {
	open := map[string]bool{}
	for i := range x.entries {
		if x.entries[i].stage > 0 {
			open[x.entries[i].path] = true
		}
	}
	if len(open) == 0 {
		return rows
	}
	for i := range rows {
		if open[rows[i].Path] {
			rows[i].State = 'U'
			delete(open, rows[i].Path)
		}
	}
	for p := range open {
		rows = append(rows, Change{State: 'U', Path: p})
	}
	return rows
}
