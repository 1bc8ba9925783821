package provider_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
)

// latePipe is a pipe with something in it whose deadline has passed.
func latePipe(t *testing.T, content string) (*provider.Pipe, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := r.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	return provider.NewPipe(r), w
}

func TestLateReaderGetsTheLastWordsOfAProcess(t *testing.T) {
	p, w := latePipe(t, "last words")
	_ = w.Close() // as the process's end does
	if got, err := io.ReadAll(p); string(got) != "last words" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHeldPipeEndsAtItsDeadline(t *testing.T) {
	p, _ := latePipe(t, "last words")
	for range 2 { // also when it is asked again
		got, err := io.ReadAll(p)
		if !errors.Is(err, os.ErrDeadlineExceeded) || len(got) > 0 && string(got) != "last words" {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestWhoeverHoldsThePipeCannotGoOnForEver(t *testing.T) {
	p, w := latePipe(t, "")
	flood := bytes.Repeat([]byte("x"), 4096)
	read := 0
	for buf := make([]byte, 64<<10); ; {
		if _, err := w.Write(flood); err != nil {
			t.Fatal(err)
		}
		n, err := p.Read(buf)
		if read += n; err != nil {
			break
		}
		if read > 4<<20 {
			t.Fatal("it does not end")
		}
	}
	if read < 64<<10 {
		t.Errorf("%d bytes were read", read)
	}
}

func TestPipeWithoutADeadlineWaits(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = io.WriteString(w, "words")
		_ = w.Close()
	}()
	if got, err := io.ReadAll(provider.NewPipe(r)); string(got) != "words" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
