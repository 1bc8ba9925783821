//go:build !hang

package hang

import "testing"

func TestProgramThatPeopleUseHasNoTraps(t *testing.T) {
	t.Setenv("PROMPT64_HANG", t.TempDir())
	if n := testing.AllocsPerRun(100, func() { Here("x") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
