package leaks

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// tests are a package's tests that end with a code.
type tests struct {
	code int
	run  func()
}

func (t tests) Run() int {
	t.run()
	return t.code
}

func TestGoroutineThatEndsLateIsNoLeak(t *testing.T) {
	var out strings.Builder
	late := tests{0, func() { go time.Sleep(time.Second) }} // goleak alone gives up before
	if code := run(late, &out, patience); code != 0 || out.Len() > 0 {
		t.Errorf("code %d: %s", code, &out)
	}
}

// stays runs until the test has ended.
func stays(t *testing.T) {
	over := make(chan struct{})
	ended := make(chan struct{})
	go func() { defer close(ended); <-over }()
	t.Cleanup(func() { close(over); <-ended })
}

func TestGoroutineThatStaysIsALeak(t *testing.T) {
	var out strings.Builder
	leaky := tests{0, func() { stays(t) }}
	if code := run(leaky, &out, 0); code != 1 || !strings.Contains(out.String(), "leaks.stays") {
		t.Errorf("code %d: %s", code, &out)
	}
	None(t, goleak.IgnoreCurrent())
}

func TestFailedTestsKeepTheirCode(t *testing.T) {
	var out strings.Builder
	failed := tests{7, func() { stays(t) }}
	if code := run(failed, &out, 0); code != 7 || out.Len() > 0 {
		t.Errorf("code %d: %s", code, &out)
	}
}
