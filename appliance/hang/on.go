//go:build hang

package hang

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Variable names the folder with the traps for another process.
const Variable = "PROMPT64_HANG"

// How is what happens in a trap.
type How string

// The traps.
const (
	Hang   How = "hang"   // until Release
	Panic  How = "panic"  // as a fault in the code
	Vanish How = "vanish" // the goroutine ends without a word
)

var traps = struct {
	sync.Mutex
	set     map[string]How
	release chan struct{}
}{set: map[string]How{}, release: make(chan struct{})}

// Set sets a trap for one goroutine.
func Set(name string, how How) {
	traps.Lock()
	defer traps.Unlock()
	traps.set[name] = how
}

// Waits reports whether a trap is still empty.
func Waits(name string) bool {
	traps.Lock()
	defer traps.Unlock()
	_, waits := traps.set[name]
	return waits
}

// Release lets all go that hang.
func Release() {
	traps.Lock()
	defer traps.Unlock()
	close(traps.release)
	traps.release = make(chan struct{})
}

// Here is where a goroutine may fall into a trap.
func Here(name string) {
	how, release := take(name)
	switch how {
	case Hang:
		<-release
	case Panic:
		panic("trap " + name)
	case Vanish:
		runtime.Goexit()
	}
}

func take(name string) (How, <-chan struct{}) {
	traps.Lock()
	defer traps.Unlock()
	how := traps.set[name]
	delete(traps.set, name)
	if dir := os.Getenv(Variable); dir != "" && how == "" {
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if text, err := os.ReadFile(file); err == nil && os.Remove(file) == nil {
			how = How(strings.TrimSpace(string(text)))
		}
	}
	return how, traps.release
}
