package acptest

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// store keeps sessions as files, so that another process finds them.
type store struct{ dir string }

// stored is a session's file.
type stored struct {
	ID      string       `json:"sessionId"`
	Cwd     string       `json:"cwd"`
	Title   string       `json:"title"`
	Updated string       `json:"updatedAt"`
	Turns   []storedTurn `json:"turns,omitempty"`
}

type storedTurn struct{ Prompt, Answer string }

func (st *store) newID() string { return "ses_" + rand.Text() }

func (st *store) path(id string) string { return filepath.Join(st.dir, filepath.Base(id)+".json") }

// read returns a session, nil if there is none.
func (st *store) read(id string) *stored {
	data, err := os.ReadFile(st.path(id))
	var s stored
	if st.dir == "" || err != nil || json.Unmarshal(data, &s) != nil {
		return nil
	}
	return &s
}

// add appends a turn to a session.
func (st *store) add(id, cwd, prompt, answer string) {
	if st.dir == "" {
		return
	}
	s := st.read(id)
	if s == nil {
		s = &stored{ID: id, Cwd: cwd, Title: prompt}
	}
	s.Updated = time.Now().UTC().Format(time.RFC3339Nano)
	s.Turns = append(s.Turns, storedTurn{prompt, answer})
	data, _ := json.Marshal(s) // strings
	_ = os.WriteFile(st.path(id), data, 0o600)
}

// list returns the sessions of a folder.
func (st *store) list(cwd string) []stored {
	found, _ := filepath.Glob(filepath.Join(st.dir, "*.json")) // the pattern is good
	list := []stored{}
	for _, path := range found {
		id := filepath.Base(path)
		if s := st.read(id[:len(id)-len(".json")]); s != nil && (cwd == "" || s.Cwd == cwd) {
			s.Turns = nil
			list = append(list, *s)
		}
	}
	return list
}
