package codextest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// record is a thread as it is stored.
type record struct {
	ID      string
	Cwd     string
	Preview string
	Order   int64 // of the last turn
	Turns   []turnRecord
}

type turnRecord struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Items  []any  `json:"items"`
}

// thread is a thread in memory.
type thread struct {
	s *Server

	mu      sync.Mutex
	rec     record
	turn    *turn
	granted map[string]bool   // what was accepted for the session
	running map[string]func() // background terminals, by process
	items   map[string]string // their items
}

func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (s *Server) newThread(cwd string) *thread {
	return s.load(record{ID: newID(), Cwd: cwd})
}

func (s *Server) load(rec record) *thread {
	t := &thread{s: s, rec: rec, granted: map[string]bool{}, running: map[string]func(){}, items: map[string]string{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.threads[rec.ID] = t
	return t
}

// thread finds a thread in memory or in the home.
func (s *Server) thread(id string) (*thread, *fault) {
	s.mu.Lock()
	t := s.threads[id]
	s.mu.Unlock()
	if t != nil {
		return t, nil
	}
	if _, err := os.Stat(s.path(id) + ".busy"); err == nil {
		return nil, invalid("thread " + id + " already has an active writer")
	}
	raw, err := os.ReadFile(s.path(id))
	var rec record
	if err != nil || json.Unmarshal(raw, &rec) != nil {
		return nil, invalid("no rollout found for thread id " + id)
	}
	return s.load(rec), nil
}

// MarkBusy makes a stored thread look as if another program had it open.
func MarkBusy(home, id string) error {
	s := Server{Home: home}
	return os.WriteFile(s.path(id)+".busy", nil, 0o600)
}

func (s *Server) path(id string) string {
	return filepath.Join(s.Home, "pretended", filepath.Base(id)+".json")
}

// save stores a thread. The caller holds mu.
func (t *thread) save() {
	raw, err := json.Marshal(t.rec)
	if err != nil {
		panic(err)
	}
	path := t.s.path(t.rec.ID)
	_ = os.MkdirAll(filepath.Dir(path), 0o700)
	if err := os.WriteFile(path+".new", raw, 0o600); err == nil {
		_ = os.Rename(path+".new", path)
	}
}

// stored reads all threads, the newest first.
func (s *Server) stored() []record {
	files, _ := filepath.Glob(filepath.Join(s.Home, "pretended", "*.json"))
	var list []record
	for _, file := range files {
		raw, err := os.ReadFile(file)
		var rec record
		if err == nil && json.Unmarshal(raw, &rec) == nil {
			list = append(list, rec)
		}
	}
	slices.SortFunc(list, func(a, b record) int { return int(b.Order - a.Order) })
	return list
}

func (t *thread) public() any {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.rec.public()
	if t.turn != nil {
		p["status"] = map[string]string{"type": "active"}
	}
	return p
}

func (r record) public() map[string]any {
	return map[string]any{
		"id": r.ID, "cwd": r.Cwd, "preview": r.Preview, "name": nil,
		"updatedAt": r.Order / int64(time.Second), "recencyAt": r.Order / int64(time.Second),
		"status": map[string]string{"type": "idle"}, "cliVersion": Version, "turns": []any{},
	}
}

func (t *thread) newestFirst() []turnRecord {
	t.mu.Lock()
	defer t.mu.Unlock()
	turns := slices.Clone(t.rec.Turns)
	slices.Reverse(turns)
	return turns
}

// terminals lists the commands in the background.
func (t *thread) terminals() []any {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := []any{}
	for process := range t.running {
		list = append(list, map[string]string{"processId": process, "itemId": t.items[process]})
	}
	return list
}

// terminate ends a command in the background, all of them for "".
func (t *thread) terminate(process string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := false
	for id, end := range t.running {
		if process == "" || id == process {
			end()
			delete(t.running, id)
			ended = true
		}
	}
	return ended
}

// Running is how many commands run in the background of a thread.
func (s *Server) Running(id string) int {
	t, f := s.thread(id)
	if f != nil {
		return 0
	}
	return len(t.terminals())
}
