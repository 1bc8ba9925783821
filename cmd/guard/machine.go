package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// machine is the device.
type machine struct {
	usual   guardlog.Places
	places  string // file
	work    string // file
	data    string
	gokrazy gokrazy
	patient time.Duration // for the bridge to write its goroutines
	victim  int           // the process that is to be replaced
}

var _ system = (*machine)(nil)

// started is for a machine whose uptime cannot be read.
var started = time.Now()

func (m *machine) Now() moment {
	now := moment{wall: time.Now(), up: time.Since(started)}
	if text, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		now.boot = strings.TrimSpace(string(text))
	}
	if text, err := os.ReadFile("/proc/uptime"); err == nil {
		word, _, _ := strings.Cut(string(text), " ")
		if seconds, err := strconv.ParseFloat(word, 64); err == nil {
			now.up = time.Duration(seconds * float64(time.Second))
		}
	}
	return now
}

func (m *machine) Bridge(ctx context.Context) error {
	return helloTrip(ctx, guardlog.ReadPlaces(m.places, m.usual).Bridge)
}

func (m *machine) Pages(ctx context.Context) error {
	return pagesTrip(ctx, guardlog.ReadPlaces(m.places, m.usual).Pages)
}

func (m *machine) Work() guardlog.Work { return guardlog.ReadWork(m.work) }

func (m *machine) Memory(ctx context.Context) (uint64, error) {
	pid, _, err := m.gokrazy.status(ctx)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmRSS:" {
			kib, err := strconv.ParseUint(f[1], 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("the process has no memory")
}

// Dump asks the bridge to write its goroutines, and ends it with SIGQUIT if it
// does not.
func (m *machine) Dump(ctx context.Context) error {
	pid, _, err := m.gokrazy.status(ctx)
	m.victim = pid
	if err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	if pid <= 1 {
		return errors.New("dump: there is no process")
	}
	file := filepath.Join(m.data, guardlog.DumpName)
	before, _ := os.Stat(file)
	if err := syscall.Kill(pid, syscall.SIGUSR1); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	written := func() bool {
		now, err := os.Stat(file)
		return err == nil && (before == nil || !os.SameFile(before, now))
	}
	gone := func() bool { // it has not come to heed signals yet
		now, _, err := m.gokrazy.status(ctx)
		return err == nil && now != pid
	}
	waitFor(ctx, m.patient, func() bool { return written() || gone() })
	switch {
	case written():
		return nil
	case gone():
		return errors.New("dump: the process ended instead")
	}
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, logTime)
	defer cancel()
	text, err := m.gokrazy.errors(ctx)
	if err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	return guardlog.WriteDump(m.data, text)
}

// Restart asks the bridge to end, and kills it if it does not.
func (m *machine) Restart(ctx context.Context) error {
	if m.victim == 0 { // gokrazy did not tell it when the dump was asked for
		m.victim, _, _ = m.gokrazy.status(ctx)
	}
	replaced := func() bool {
		pid, _, err := m.gokrazy.status(ctx)
		return err == nil && pid > 0 && pid != m.victim
	}
	if m.victim > 0 && replaced() {
		return nil // SIGQUIT did it
	}
	if err := m.gokrazy.restart(ctx, false); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	if waitFor(ctx, endTime, replaced) {
		return nil
	}
	if err := m.gokrazy.restart(ctx, true); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	if !waitFor(ctx, endTime, replaced) {
		return errors.New("restart: there is no new process")
	}
	return nil
}

// Reboot asks gokrazy, then init by a signal, then the kernel.
func (m *machine) Reboot(ctx context.Context) error {
	errs := []error{m.gokrazy.reboot(ctx)}
	if errs[0] != nil {
		errs = append(errs, syscall.Kill(1, syscall.SIGTERM))
	}
	select {
	case <-ctx.Done(): // guard is told to end: it works
		return ctx.Err()
	case <-time.After(rebootTime):
	}
	errs = append(errs, errors.New("nothing happened"), os.WriteFile("/proc/sysrq-trigger", []byte("s"), 0))
	time.Sleep(logTime)
	return errors.Join(append(errs, os.WriteFile("/proc/sysrq-trigger", []byte("b"), 0))...)
}

func (m *machine) Load() (guardlog.Log, error) { return guardlog.Read(m.data) }

// Save makes the folder where it is missing: a bridge that never came to make it is a
// case for guard all the more, and what guard cannot count it does not do.
func (m *machine) Save(l guardlog.Log) error {
	if err := os.MkdirAll(m.data, 0o700); err != nil {
		return fmt.Errorf("write the guard's log: %w", err)
	}
	return guardlog.Write(m.data, l)
}

// waitFor looks a few times a second whether something is so.
func waitFor(ctx context.Context, d time.Duration, is func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if is() {
			return true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
}
