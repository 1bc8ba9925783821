package guardlog

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Work is what a bridge is at that has to do something before it can answer.
type Work struct {
	Beat int    `json:"beat"` // another number each time that it has gone on, never 0
	What string `json:"what"`
}

// WorkTime is for how long after the start of the system the guard waits for work,
// however well that goes on. Work has to give up before.
const WorkTime = 15 * time.Minute

// workName is a file in a folder that is empty at each start of the system.
const workName = "prompt64-work.json"

// WorkFile is where the bridge of this machine says what it is at.
func WorkFile() string { return filepath.Join(os.TempDir(), workName) }

// WriteWork says what the bridge is at.
func WriteWork(file string, w Work) error {
	text, err := json.Marshal(w)
	if err == nil {
		err = replace(file, text)
	}
	if err != nil {
		return fmt.Errorf("write what the bridge is at: %w", err)
	}
	return nil
}

// ReadWork reads what the bridge is at; nothing, where it does not say.
func ReadWork(file string) Work {
	var w Work
	if readJSON(file, &w) != nil {
		return Work{}
	}
	return w
}
