package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestBridgeIsFlatAfterTenMinutesOfComingAndGoing runs the real thing.
func TestBridgeIsFlatAfterTenMinutesOfComingAndGoing(t *testing.T) {
	if os.Getenv("PROMPT64_LONG") != "1" {
		t.Skip("it takes a quarter of an hour: set PROMPT64_LONG=1")
	}
	program := filepath.Join(t.TempDir(), "prompt64")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/prompt64/prompt64/cmd/prompt64").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	seed := rand.Uint64()
	t.Logf("seed %d; scripts/soak 10 %d has the same faults", seed, seed)
	if err := soak(t.Context(), program, 10*time.Minute, seed); err != nil {
		t.Error(err)
	}
}

func TestGrowthIsNamed(t *testing.T) {
	before := held{descriptors: 20, goroutines: 30, memory: 40000}
	if err := before.against(before); err != nil {
		t.Error(err)
	}
	within := held{20 + moreDescriptors, 30 + moreGoroutines, 40000 + moreMemory}
	if err := within.against(before); err != nil {
		t.Error(err)
	}
	for what, h := range map[string]held{
		"descriptors grew from 20 to 30": {30, 30, 40000},
		"goroutines grew from 30 to 50":  {20, 50, 40000},
		"memory (KiB) grew":              {20, 30, 99999},
	} {
		if err := h.against(before); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error is %v, want %q", err, what)
		}
	}
}

func TestBridgeThatDoesNotStartIsTold(t *testing.T) {
	program := filepath.Join(t.TempDir(), "prompt64")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho 'no such flag' >&2\nexit 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := startBridge(t.Context(), program)
	if err == nil || !strings.Contains(err.Error(), "no such flag") {
		t.Errorf("error is %v", err)
	}
}
