//go:build hang

package hang

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestTrapTakesOneAndLetsTheNextPass(t *testing.T) {
	Set("x", Hang)
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		Here("x")
	}()
	for Waits("x") {
		runtime.Gosched()
	}
	Here("x")
	select {
	case <-passed:
		t.Error("the first passed")
	default:
	}
	Release()
	<-passed
}

func TestTrapsBreakAGoroutineInEachWay(t *testing.T) {
	Set("x", Panic)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		Here("x")
	}()
	Set("x", Vanish)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		Here("x")
		t.Error("it is still there")
	}()
	<-gone
}

func TestAnotherProcessIsTrappedByAFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	file := filepath.Join(dir, "part-x")
	if err := os.WriteFile(file, []byte("panic\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := os.Stat(file); recover() == nil || err == nil {
			t.Error("no panic, or the trap is still there")
		}
	}()
	Here("part x")
}
