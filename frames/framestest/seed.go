package framestest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// SeedVariable is the environment variable that fixes the seed of every test that
// uses Seed.
const SeedVariable = "PROMPT64_SEED"

// Seed returns a fresh seed, or that of SeedVariable, and logs how to run the test
// with the same one again.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if v := os.Getenv(SeedVariable); v != "" {
		fixed, err := strconv.ParseUint(v, 0, 64)
		if err != nil {
			t.Fatalf("%s: want a number: %v", SeedVariable, err)
		}
		seed = fixed
	}
	t.Logf("seed %d; run with %s=%d for the same faults", seed, SeedVariable, seed)
	return seed
}
