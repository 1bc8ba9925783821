package main

import (
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/guardlog"
)

// maxDump bounds what a dump takes of the memory and the disk.
const maxDump = 8 << 20

// dumpOnSignal writes all goroutines into the data folder at each SIGUSR1, for
// the guard and for whoever wonders. It has a goroutine of its own, outside of
// everything that may be stuck.
func dumpOnSignal(data string, log *slog.Logger) (stop func()) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	ended := make(chan struct{})
	guarded.Go("dump", func() {
		defer close(ended)
		for range asked {
			err := guarded.Call("dump", func() error { return guardlog.WriteDump(data, goroutines()) })
			log.Warn("goroutines written", "file", guardlog.DumpName, "err", err)
		}
	}, nil)
	return func() {
		signal.Stop(asked)
		close(asked)
		<-ended
	}
}

// goroutines is the stack of every goroutine.
func goroutines() []byte {
	for size := 256 << 10; ; size *= 2 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size || size >= maxDump {
			return text[:n]
		}
	}
}
