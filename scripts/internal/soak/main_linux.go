// Command soak lets scripted C64s come and go at a real bridge, and compares what
// the bridge holds at the end with what it held when it was new. scripts/soak
// builds and starts it.
//
// It proves nothing about hours that it did not run, and its limits leave room
// for what a Go program keeps for later: it finds what grows with every lease.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// What may be more at the end than after the warm-up.
const (
	moreDescriptors = 4
	moreGoroutines  = 8
	moreMemory      = 24 << 10 // KiB
)

// settleTime is when a lease that was left alone is over, and somewhat more.
const settleTime = (frames.LeaseSeconds + 15) * time.Second

func main() {
	bridge := flag.String("bridge", "", "the bridge's `program`")
	minutes := flag.Float64("minutes", 10, "how long C64s come and go")
	seed := flag.Uint64("seed", rand.Uint64(), "of the faults")
	flag.Parse()
	fmt.Printf("seed %d\n", *seed)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := soak(ctx, *bridge, time.Duration(*minutes*float64(time.Minute)), *seed)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
	fmt.Println("flat")
}

// soak compares a bridge that had a few C64s with one that had many.
func soak(ctx context.Context, program string, d time.Duration, seed uint64) error {
	few, err := measure(ctx, program, 30*time.Second, seed)
	if err != nil {
		return fmt.Errorf("warm-up: %w", err)
	}
	fmt.Println("after a moment:", few)
	many, err := measure(ctx, program, d, seed+1)
	if err != nil {
		return err
	}
	fmt.Println("at the end:    ", many)
	return many.against(few)
}

// measure lets C64s come and go at a new bridge, waits until all is over, and
// says what the bridge holds.
func measure(ctx context.Context, program string, d time.Duration, seed uint64) (held, error) {
	b, err := startBridge(ctx, program)
	if err != nil {
		return held{}, err
	}
	defer b.end()
	tally, err := crowd(ctx, b, d, seed)
	fmt.Println(tally)
	if err != nil {
		return held{}, err
	}
	select {
	case <-time.After(settleTime):
	case <-ctx.Done():
		return held{}, ctx.Err()
	}
	return b.held()
}
