package guarded

import (
	"context"
	"io"
	"sync"
	"time"
)

// Run calls f in this goroutine, and lost, which may be nil, when f does not return.
// A panic ends here; the end of the goroutine (runtime.Goexit) does not.
func Run(name string, f func(), lost func(error)) {
	returned := false
	defer func() {
		if returned {
			return
		}
		r := recover()
		if r == nil {
			r = errVanished
		}
		fault := caught(name, r)
		if lost != nil {
			Run(name+", at its end", func() { lost(fault) }, nil)
		}
	}()
	f()
	returned = true
}

// Go starts a goroutine for f. See Run.
func Go(name string, f func(), lost func(error)) { go Run(name, f, lost) }

// In starts a goroutine for f that all waits for. See Run.
func In(all *sync.WaitGroup, name string, f func(), lost func(error)) {
	all.Go(func() { Run(name, f, lost) })
}

// Call calls f in this goroutine and makes an error of its panic: a *Fault. It is for
// what whoever calls us would not survive.
func Call(name string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = caught(name, r)
		}
	}()
	return f()
}

// AfterFunc is time.AfterFunc for an f that may have a fault. See Run.
func AfterFunc(d time.Duration, name string, f func(), lost func(error)) *time.Timer {
	return time.AfterFunc(d, func() { Run(name, f, lost) })
}

// AfterDone is context.AfterFunc for an f that may have a fault. See Run.
func AfterDone(ctx context.Context, name string, f func(), lost func(error)) (stop func() bool) {
	return context.AfterFunc(ctx, func() { Run(name, f, lost) })
}

// Writer is w for somebody else's goroutine, such as that of an exec.Cmd: a panic in
// it is an error of the write.
func Writer(name string, w io.Writer) io.Writer { return writer{name, w} }

type writer struct {
	name string
	w    io.Writer
}

// Write implements io.Writer.
func (w writer) Write(p []byte) (n int, err error) {
	err = Call(w.name, func() (err error) {
		n, err = w.w.Write(p)
		return err
	})
	return n, err
}
