package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// runningName is a file in the data folder that tells other commands where the
// bridge is. It may be left over from one that was killed.
const runningName = "running.json"

// running is what the file says.
type running struct {
	Bridge string `json:"bridge"` // how this machine reaches it
	Web    string `json:"web"`
}

// noteRunning writes the file, and removes it at the end. A bridge without it
// runs as well.
func (a *app) noteRunning() {
	path := filepath.Join(a.data.path, runningName)
	data, err := json.Marshal(running{guardlog.Dialable(a.c64s.address()), guardlog.Dialable(a.browsers.address())})
	if err == nil {
		err = renameio.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		a.log.Warn("other commands will not find this bridge", "err", err)
		return
	}
	a.onClose(func(context.Context) error {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.log.Warn("the note of a running bridge stays", "err", err)
		}
		return nil
	})
}

// findRunning reads the file of a data folder; ok is false where no bridge runs.
func findRunning(data string) (r running, ok bool) {
	text, err := os.ReadFile(filepath.Join(data, runningName))
	if err != nil || json.Unmarshal(text, &r) != nil || r.Bridge == "" {
		return running{}, false
	}
	conn, err := net.DialTimeout("tcp", r.Bridge, askTime)
	if err == nil {
		_ = conn.Close()
	}
	return r, !errors.Is(err, syscall.ECONNREFUSED)
}
