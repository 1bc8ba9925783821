package codex

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestLinesAreBounded(t *testing.T) {
	in := bufio.NewReaderSize(strings.NewReader("short\r\n"+strings.Repeat("x", 100)+"\n"+strings.Repeat("y", 101)+"\nlast\nunfinished"), 16)
	for _, want := range []string{"short", strings.Repeat("x", 100)} {
		if got, err := readLine(in, 100); string(got) != want || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	var long *tooLongError
	if _, err := readLine(in, 100); !errors.As(err, &long) || long.size != 101 {
		t.Errorf("a line of 101 bytes: %v", err)
	}
	if got, err := readLine(in, 100); string(got) != "last" || err != nil {
		t.Errorf("behind it: %q, %v", got, err)
	}
	if _, err := readLine(in, 100); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an unfinished line: %v", err)
	}
	if _, err := readLine(in, 100); !errors.Is(err, io.EOF) {
		t.Errorf("the end: %v", err)
	}
}

func TestLostMessageIsKnownByItsEnds(t *testing.T) {
	for _, c := range []struct{ head, tail, id, method, thread string }{
		{`{"id":7,"result":{"data":["xx`, `"]}}`, "7", "", ""},
		{`{"id":0,"method":"a/b","params":{"threadId":"12ab","x":"yy`, "", "0", "a/b", "12ab"},
		{`{"method":"item/completed","params":{"item":{"threadId":"no","x":"yy`, `yy"},"threadId":"12ab-3","n":1}}`, "", "item/completed", "12ab-3"},
		{`{"params":{"method":"no","list":[1,{"id":5}],"s":"yy`, "", "", "", ""},
		{`nonsense`, "", "", "", ""},
	} {
		m, thread := (&tooLongError{head: []byte(c.head), tail: []byte(c.tail)}).sight()
		if string(m.ID) != c.id || m.Method != c.method || thread != c.thread {
			t.Errorf("%s: id %q, method %q, thread %q", c.head, m.ID, m.Method, thread)
		}
	}
}
