package fetch

import (
	"fmt"
	"io"
	"os"
)

// begin makes the kept file ready for an answer.
func (g *get) begin(a answer) error {
	limit := g.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	if a.total > limit {
		return finalError{fmt.Errorf("the file has %d bytes, more than the %d that are allowed", a.total, limit)}
	}
	if g.Room != nil {
		if err := g.Room(max(a.total-a.start, 0)); err != nil {
			return finalError{err}
		}
	}
	if a.start == 0 {
		if err := g.file.Truncate(0); err != nil {
			return finalError{err}
		}
		if err := g.part.note(g.address, a.validator); err != nil {
			return finalError{err}
		}
	}
	if _, err := g.file.Seek(a.start, io.SeekStart); err != nil {
		return finalError{err}
	}
	return nil
}

// keep copies an answer's body to the file and makes it last.
func (g *get) keep(a answer, body io.Reader, alive func()) (int64, error) {
	limit := a.total
	if limit < 0 {
		if limit = g.Limit; limit <= 0 {
			limit = defaultLimit
		}
	}
	w := &meter{w: g.file, done: a.start, total: a.total, alive: alive, show: g.Progress}
	n, err := io.CopyBuffer(w, io.LimitReader(body, limit-a.start), make([]byte, bufferSize))
	if w.err != nil {
		return n, finalError{fmt.Errorf("write %s: %w", g.file.Name(), w.err)}
	}
	if err == nil && a.total >= 0 && a.start+n < a.total {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return n, fmt.Errorf("the line broke after %d bytes: %w", a.start+n, err)
	}
	if err := g.file.Sync(); err != nil {
		return n, finalError{err}
	}
	return n, nil
}

// meter writes, counts, and tells a failure to write from one to read.
type meter struct {
	w           *os.File
	done, total int64
	alive       func()
	show        func(done, total int64)
	err         error
}

func (m *meter) Write(b []byte) (int, error) {
	m.alive()
	n, err := m.w.Write(b)
	m.done += int64(n)
	m.err = err
	if m.show != nil {
		m.show(m.done, m.total)
	}
	return n, err
}
