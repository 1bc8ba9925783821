package providertest

import "testing"

func TestOnlyLeavesTheRestToTheLongTests(t *testing.T) {
	some := Harness{Only: []string{"UsageIsPlausible"}}
	for _, c := range []struct {
		h    Harness
		long string
		left int
	}{
		{Harness{}, "", 0}, {Harness{}, "1", 0},
		{some, "", len(promises()) - 1}, {some, "1", 0},
	} {
		t.Setenv("PROMPT64_LONG", c.long)
		left := 0
		for _, p := range promises() {
			if c.h.leaves(p) {
				left++
			}
		}
		if left != c.left {
			t.Errorf("with %q and PROMPT64_LONG=%q %d promises are left out, want %d", c.h.Only, c.long, left, c.left)
		}
	}
}
