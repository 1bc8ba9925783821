package guardlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Name is the log's file in the data folder.
const Name = "guard.json"

// Action is what the guard did.
type Action string

// The actions.
const (
	Restarted  Action = "restarted the bridge"
	Rebooted   Action = "rebooted the device"
	StayedUp   Action = "would have rebooted, but did so too often today"
	EndedTrial Action = "ended the trial of an update"
)

// Kept is how many entries the log keeps.
const Kept = 20

// Moment is a point in time on two clocks, since the wall clock may be wrong and
// the other one starts anew with the system. It is all time that the device has
// run in its life, as far as that is known.
type Moment struct {
	Wall time.Time     `json:"wall"`
	Ran  time.Duration `json:"ran"`
}

// Entry is one thing that the guard did.
type Entry struct {
	Moment
	Boot   string `json:"boot"` // which start of the system
	Action Action `json:"action"`
	Reason string `json:"reason"`
}

// Log is everything that is kept.
type Log struct {
	Boot    string        `json:"boot"`    // the start of the system that wrote this
	Up      time.Duration `json:"up"`      // how long after it
	Ran     time.Duration `json:"ran"`     // how long the device had run by then
	Reboots []Moment      `json:"reboots"` // those that count
	Entries []Entry       `json:"entries"` // what was done, the newest last
}

// Last is the newest entry.
func (l Log) Last() (Entry, bool) {
	if len(l.Entries) == 0 {
		return Entry{}, false
	}
	return l.Entries[len(l.Entries)-1], true
}

// Add appends an entry and forgets the oldest.
func (l *Log) Add(e Entry) {
	entries := append(slices.Clone(l.Entries), e)
	l.Entries = entries[max(0, len(entries)-Kept):]
}

// maxFile bounds what is read.
const maxFile = 64 << 10

// Read reads the log in a data folder; no file is an empty log.
func Read(data string) (Log, error) {
	var l Log
	if err := readJSON(filepath.Join(data, Name), &l); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Log{}, fmt.Errorf("read the guard's log: %w", err)
	}
	return l, nil
}

// Write replaces the log, durably: old or new, whatever happens to the power.
func Write(data string, l Log) error {
	text, err := json.MarshalIndent(l, "", "\t")
	if err == nil {
		err = replace(filepath.Join(data, Name), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the guard's log: %w", err)
	}
	return nil
}

func readJSON(path string, into any) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// replace puts a file in the place of another in one step. The folder is synced,
// since the next thing that happens may be a reboot.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing to do after the rename
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
