package guarded

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
)

// Fault is how a goroutine ended that did not return.
type Fault struct {
	Name  string // of the goroutine, or of what was done in it
	Words string // what it panicked with, in one line
	Stack string // where
}

// maxWords bounds what a panic says, in bytes.
const maxWords = 200

// Error is one line, without the stack.
func (f *Fault) Error() string {
	return fmt.Sprintf("fault in %s: %s", f.Name, f.Words)
}

// caught makes a Fault of what recover returned, and tells it. One that was told
// before, and went on in another goroutine, keeps its place.
func caught(name string, value any) *Fault {
	if f, ok := value.(*Fault); ok {
		return f
	}
	words, _, _ := strings.Cut(fmt.Sprint(value), "\n")
	if len(words) > maxWords {
		words = strings.ToValidUTF8(words[:maxWords], "") + "..."
	}
	f := &Fault{Name: name, Words: words, Stack: string(debug.Stack())}
	f.tell()
	return f
}

// errVanished is what a goroutine breaks with that ends without a panic.
var errVanished = errors.New("it ended without a return")

var listener atomic.Pointer[func(*Fault)]

// Tell makes hear learn of each Fault of the process, in the place of whoever did
// before. With nil they go to the default logger.
func Tell(hear func(*Fault)) {
	if hear == nil {
		listener.Store(nil)
		return
	}
	listener.Store(&hear)
}

// tell never panics.
func (f *Fault) tell() {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s\nand to tell of it failed: %v\n", f, f.Stack, r)
		}
	}()
	if hear := listener.Load(); hear != nil {
		(*hear)(f)
		return
	}
	f.Log(slog.Default())
}

// Log writes it down.
func (f *Fault) Log(log *slog.Logger) {
	log.Error("a goroutine broke", "goroutine", f.Name, "panic", f.Words, "stack", f.Stack)
}
