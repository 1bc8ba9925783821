package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestQueueKeepsOrderAndLosesNothing(t *testing.T) {
	q := NewQueue(200) // small, so that the producer waits many times
	const n = 2000
	go func() {
		for i := range n {
			if err := q.Push(context.Background(), TextEvent{Text: fmt.Sprint(i)}); err != nil {
				t.Errorf("Push %d: %v", i, err)
			}
		}
		q.Finish()
	}()
	got := 0
	for ev := range q.Events() {
		if want := fmt.Sprint(got); ev.(TextEvent).Text != want {
			t.Fatalf("event %d is %v", got, ev)
		}
		got++
	}
	if got != n {
		t.Errorf("read %d events, want %d", got, n)
	}
}

func TestPushWaitsOnlyWhileTheQueueIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(1)
		defer q.Close()
		push := func(text string) <-chan error {
			done := make(chan error, 1)
			go func() { done <- q.Push(t.Context(), TextEvent{Text: text}) }()
			synctest.Wait()
			return done
		}
		first := push(strings.Repeat("x", 5000)) // one event always fits
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		second := push("later")
		select {
		case err := <-second:
			t.Fatalf("Push into a full queue returned %v", err)
		default:
		}
		<-q.Events()
		synctest.Wait()
		if err := <-second; err != nil {
			t.Errorf("Push after the reader made room: %v", err)
		}
	})
}

func TestPushWaitEndsWithContextAndQueuesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(1)
		defer q.Close()
		if err := q.Push(t.Context(), TextEvent{Text: "full"}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- q.Push(ctx, TextEvent{Text: "lost"}) }()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Push returned %v", err)
		}
		q.Finish()
		<-q.Events()
		if ev, ok := <-q.Events(); ok {
			t.Errorf("a refused event was read: %v", ev)
		}
	})
}

func TestPutNeverWaits(t *testing.T) {
	q := NewQueue(1)
	for range 100 {
		if err := q.Put(EndEvent{}); err != nil {
			t.Fatal(err)
		}
	}
	q.Finish()
	n := 0
	for range q.Events() {
		n++
	}
	if n != 100 {
		t.Errorf("read %d events", n)
	}
}

func TestQueueRefusesAfterItsEnd(t *testing.T) {
	for _, end := range []struct {
		name string
		do   func(*Queue)
	}{{"Finish", (*Queue).Finish}, {"Close", (*Queue).Close}} {
		q := NewQueue(0)
		end.do(q)
		if err := q.Push(t.Context(), TextEvent{}); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: Push returned %v", end.name, err)
		}
		if err := q.Put(TextEvent{}); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: Put returned %v", end.name, err)
		}
		if _, ok := <-q.Events(); ok {
			t.Errorf("%s: the channel is open", end.name)
		}
	}
}

func TestCloseFreesAWaitingProducer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(1)
		_ = q.Put(TextEvent{Text: "full"})
		done := make(chan error, 1)
		go func() { done <- q.Push(t.Context(), TextEvent{}) }()
		synctest.Wait()
		q.Close()
		q.Close() // twice is harmless
		if err := <-done; !errors.Is(err, ErrClosed) {
			t.Errorf("Push returned %v", err)
		}
	})
}

func TestFloodOfTinyEventsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(0)
		defer q.Close()
		ctx, cancel := context.WithCancel(t.Context())
		pushed := make(chan int, 1)
		go func() {
			n := 0
			for q.Push(ctx, TextEvent{Text: "x"}) == nil {
				n++
			}
			pushed <- n
		}()
		synctest.Wait()
		cancel()
		if n := <-pushed; n > DefaultQueueLimit/eventOverhead {
			t.Errorf("%d one-byte events were queued for a reader that sleeps", n)
		}
	})
}
