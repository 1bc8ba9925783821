package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

func TestLogArrivesWholeAndInOrder(t *testing.T) {
	var out bytes.Buffer
	s := newSink(&out)
	want := ""
	for i := range sinkLines / 2 {
		line := fmt.Sprintf("line %d\n", i)
		want += line
		if n, err := io.WriteString(s, line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	s.close()
	s.close()
	if out.String() != want {
		t.Errorf("%d bytes arrived of %d", out.Len(), len(want))
	}
	_, _ = io.WriteString(s, "too late\n")
}

func TestLogThatNobodyTakesHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		s := newSink(w)
		const more = 100
		for range sinkLines + 1 + more { // one is under way
			_, _ = io.WriteString(s, "line\n")
			synctest.Wait()
		}
		s.close() // gives up after its time
		read := make(chan string)
		go func() {
			text, _ := io.ReadAll(r)
			read <- string(text)
		}()
		<-s.done
		_ = w.Close()
		text := <-read
		if n := strings.Count(text, "line\n"); n != sinkLines+1 {
			t.Errorf("%d lines arrived", n)
		}
		if !strings.Contains(text, fmt.Sprintf("lines=%d\n", more)) {
			t.Error("the loss is not told")
		}
	})
}
