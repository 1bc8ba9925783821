package transcript

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// read loads a session's file.
func (st *Store) read(id string) (*Record, error) {
	f, err := os.Open(filepath.Join(st.dir, id+".json"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, errors.New("the file is too large")
	}
	return decodeRecord(data, id)
}

// Save writes a record that somebody holds. A failure is logged; the record
// stays in memory then, and the next save tries again.
func (st *Store) Save(r *Record) {
	st.mu.Lock()
	e := st.entries[r.ID]
	st.mu.Unlock()
	e.saving.Lock()
	defer e.saving.Unlock()
	data, err := st.encode(r)
	if err == nil {
		err = st.write(r.ID, data)
	}
	if err != nil {
		st.log.Warn("a session could not be stored", "id", r.ID, "error", err)
	}
	st.mu.Lock()
	e.dirty = err != nil
	st.mu.Unlock()
}

func (st *Store) encode(r *Record) ([]byte, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return json.MarshalIndent(r, "", "\t")
}

// write replaces a session's file, on the disk and not only in its cache.
func (st *Store) write(id string, data []byte) error {
	path := filepath.Join(st.dir, id+".json")
	if err := renameio.WriteFile(path, append(data, '\n'), 0o600, renameio.WithTempDir(st.dir)); err != nil {
		return err
	}
	// The rename has happened: a folder that cannot be synced is no failure.
	if d, err := os.Open(st.dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}
