package support

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// The files of a Disk.
const (
	warningsName = "warnings.log"
	olderName    = "warnings.1.log"
	crashName    = "crash.txt"
)

// Disk keeps the log's warnings and errors, and the last words of a crash, in a
// folder on the card. It writes seldom and little.
type Disk struct {
	dir  string
	log  *Log
	slog *slog.Logger
	pet  func(context.Context) time.Duration

	mu    sync.Mutex // held while it writes: a Serve that was stuck may wake up beside another
	after uint64     // the last line that was written
	said  string     // the last trouble that was logged
}

// NewDisk makes a Disk in a folder, which is made where it is missing. pet is
// called in the loop of Serve, so that a supervisor sees that it turns, and says
// within which time it is to be called again; it may be nil.
func NewDisk(dir string, log *Log, logger *slog.Logger, pet func(context.Context) time.Duration) *Disk {
	if pet == nil {
		pet = func(context.Context) time.Duration { return diskEvery }
	}
	return &Disk{dir: dir, log: log, slog: logger, pet: pet}
}

// String names the service.
func (d *Disk) String() string { return "log on disk" }

// Serve writes what is new from time to time, and once more at the end.
func (d *Disk) Serve(ctx context.Context) error {
	ticker := time.NewTicker(diskEvery)
	defer ticker.Stop()
	for {
		again := time.NewTimer(d.pet(ctx))
		select {
		case <-ctx.Done():
			again.Stop()
			d.write()
			return nil
		case <-ticker.C:
			d.write()
		case <-again.C:
		}
		again.Stop()
	}
}

// write appends what is new. Where that fails the lines stay in memory for the
// next time; the trouble is logged once, and not as a warning, which would be one
// more line to write.
func (d *Disk) write() {
	d.mu.Lock()
	defer d.mu.Unlock()
	lines, last, missed := d.log.Lines(d.after, slog.LevelWarn)
	if len(lines) == 0 {
		d.after = last
		return
	}
	var text strings.Builder
	if missed > 0 {
		fmt.Fprintf(&text, "(%d lines were not kept)\n", missed)
	}
	for _, l := range lines {
		text.WriteString(l.Text + "\n")
	}
	err := d.append(text.String())
	if err == nil {
		d.after, d.said = last, ""
		return
	}
	if words := err.Error(); words != d.said {
		d.said = words
		d.slog.Info("the log cannot be kept on the card", "err", err)
	}
}

func (d *Disk) append(text string) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(d.dir, warningsName)
	if info, err := os.Stat(path); err == nil && info.Size()+int64(len(text)) > diskFile {
		if err := os.Rename(path, filepath.Join(d.dir, olderName)); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// CatchCrashes has the runtime write the last words of a crash to the folder, as
// well as to standard error, and turns over those of the crash before. crashed
// says that there are some: the process before this one did not end well.
func (d *Disk) CatchCrashes() (crashed bool, err error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return false, fmt.Errorf("catch crashes: %w", err)
	}
	path := filepath.Join(d.dir, crashName)
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		crashed = true
		if err := d.turnOver(path); err != nil {
			return crashed, fmt.Errorf("catch crashes: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return crashed, fmt.Errorf("catch crashes: %w", err)
	}
	err = debug.SetCrashOutput(f, debug.CrashOptions{}) // it keeps its own descriptor
	return crashed, errors.Join(err, f.Close())
}

// turnOver keeps the last words of a crash as crash-1.txt, and older ones behind
// it.
func (d *Disk) turnOver(path string) error {
	if err := os.Truncate(path, min(crashSize, sizeOf(path))); err != nil {
		return err
	}
	for n := crashesKept - 1; n >= 1; n-- {
		err := os.Rename(d.crash(n), d.crash(n+1))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(path, d.crash(1))
}

func (d *Disk) crash(n int) string { return filepath.Join(d.dir, fmt.Sprintf("crash-%d.txt", n)) }

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
