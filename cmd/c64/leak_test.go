package main_test

import (
	"flag"
	"runtime"
	"strconv"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

// TestMain runs more tests side by side than there are processors: a machine sleeps
// while it waits for its bridge, and a busy computer only stretches that.
func TestMain(m *testing.M) {
	flag.Parse()
	sideBySide := false
	flag.Visit(func(f *flag.Flag) { sideBySide = sideBySide || f.Name == "test.parallel" })
	if !sideBySide {
		_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	}
	leaks.Main(m)
}
