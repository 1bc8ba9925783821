package transcript

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Bounds on the number of stored sessions. A list shows frames.MaxSessions.
const (
	maxPerWorkspace = frames.MaxSessions
	maxStored       = 256
	maxFile         = 4 << 20 // a larger file is none of ours
)

// fileName is what a session's file is called.
var fileName = regexp.MustCompile(`^([0-9a-z-]{1,64})\.json$`)

// Store is the folder of session files and the list of them. Records are loaded
// while a session holds them, or while they could not be written.
type Store struct {
	dir string
	now func() time.Time
	log *slog.Logger

	mu      sync.Mutex
	entries map[string]*entry
	order   uint64
}

// entry is one session of the list.
type entry struct {
	head   Record // without its turns
	rec    *Record
	holds  int
	dirty  bool
	saving sync.Mutex // one writer of the file at a time
}

// Open reads the list. What cannot be read is logged and left out.
func Open(dir string, now func() time.Time, log *slog.Logger) *Store {
	st := &Store{dir: dir, now: now, log: log, entries: map[string]*entry{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		log.Warn("sessions will not be kept", "error", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		log.Warn("sessions cannot be listed", "error", err)
	}
	for _, f := range files {
		name := f.Name()
		if strings.HasPrefix(name, ".") && strings.Contains(name, ".json") {
			_ = os.Remove(filepath.Join(dir, name)) // half a write, from before a power cut
			continue
		}
		m := fileName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		r, err := st.read(m[1])
		if err != nil {
			log.Warn("a session is left out", "file", name, "error", err)
			continue
		}
		st.order = max(st.order, r.Order)
		st.entries[r.ID] = &entry{head: r.head()}
	}
	return st
}

// head is a record without its turns.
func (r *Record) head() Record {
	h := *r
	h.Turns = nil
	return h
}

// List returns a workspace's sessions, newest first.
func (st *Store) List(workspace string) []provider.SessionInfo {
	st.mu.Lock()
	defer st.mu.Unlock()
	var heads []Record
	for _, e := range st.entries {
		if e.head.Workspace == workspace {
			heads = append(heads, e.head)
		}
	}
	sort.Slice(heads, func(i, j int) bool { return heads[i].Order > heads[j].Order })
	infos := make([]provider.SessionInfo, len(heads))
	for i, h := range heads {
		infos[i] = provider.SessionInfo{ID: h.ID, Title: h.Title, Updated: h.Updated}
	}
	return infos
}

// ByAgent finds the session of a workspace that an agent knows under its own ID;
// empty if there is none.
func (st *Store) ByAgent(workspace, agent string) (id string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, e := range st.entries {
		if e.head.Workspace == workspace && e.head.Agent == agent {
			return e.head.ID
		}
	}
	return ""
}

// Take loads a session and holds it until Drop.
func (st *Store) Take(id, workspace string) (*Record, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	e := st.entries[id]
	if e == nil || e.head.Workspace != workspace {
		return nil, provider.ErrNoSession
	}
	if e.rec == nil {
		r, err := st.read(id)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", provider.ErrNoSession, err)
		}
		e.rec = r
	}
	e.holds++
	return e.rec, nil
}

// Create lists a new session and holds it until Drop.
func (st *Store) Create(workspace, title string) *Record {
	r, gone := st.create(workspace, title)
	for _, id := range gone {
		if err := os.Remove(filepath.Join(st.dir, id+".json")); err != nil && !errors.Is(err, os.ErrNotExist) {
			st.log.Warn("an old session stays on disk", "id", id, "error", err)
		}
	}
	return r
}

func (st *Store) create(workspace, title string) (r *Record, gone []string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	r = &Record{Version: fileVersion, ID: st.newID(), Workspace: workspace, Title: title}
	st.entries[r.ID] = &entry{rec: r, holds: 1}
	st.touch(r)
	return r, st.prune(workspace)
}

// Drop ends a hold.
func (st *Store) Drop(r *Record) {
	st.mu.Lock()
	defer st.mu.Unlock()
	e := st.entries[r.ID]
	if e.holds--; e.holds == 0 && !e.dirty {
		e.rec = nil
	}
}

// Update changes a record under the lock and makes it the newest.
func (st *Store) Update(r *Record, change func(*Record)) {
	st.mu.Lock()
	defer st.mu.Unlock()
	change(r)
	r.trim()
	st.touch(r)
}

// View reads a record under the lock.
func (st *Store) View(r *Record, look func(*Record)) {
	st.mu.Lock()
	defer st.mu.Unlock()
	look(r)
}

// touch makes a record the newest. The caller holds mu.
func (st *Store) touch(r *Record) {
	st.order++
	r.Order, r.Updated = st.order, st.now()
	st.entries[r.ID].head = r.head()
}

// newID names a session. The caller holds mu.
func (st *Store) newID() string {
	var random [6]byte
	for {
		_, _ = rand.Read(random[:]) // never fails
		id := st.now().UTC().Format("20060102-150405-") + hex.EncodeToString(random[:])
		if st.entries[id] == nil {
			return id
		}
	}
}
