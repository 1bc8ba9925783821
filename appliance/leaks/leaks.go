// Package leaks looks for goroutines that tests left behind.
//
// It asks goleak, and asks again: a goroutine that is about to end on a machine that
// is busy needs longer than the half second that goleak waits. One that stays for
// as long as patience is a leak.
package leaks

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a goroutine may take to end.
const patience = 30 * time.Second

// Main is a package's TestMain: it runs the tests and then looks. It does not return.
func Main(m *testing.M) { os.Exit(run(m, os.Stderr, patience)) }

func run(m interface{ Run() int }, out io.Writer, limit time.Duration) int {
	code := m.Run()
	if code != 0 {
		return code
	}
	if err := find(limit); err != nil {
		fmt.Fprintln(out, "the tests passed and left behind:", err)
		return 1
	}
	return 0
}

// None fails a test that left a goroutine behind, but for those of the options.
func None(t testing.TB, options ...goleak.Option) {
	t.Helper()
	if err := find(patience, options...); err != nil {
		t.Error(err)
	}
}

// Find tells of the goroutines that do not end.
func Find() error { return find(patience) }

func find(limit time.Duration, options ...goleak.Option) error {
	for end := time.Now().Add(limit); ; {
		err := goleak.Find(options...)
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}
