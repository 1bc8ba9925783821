package codex

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// maxMessage bounds one message. The server sends whole command outputs in one;
// what is longer is thrown away while it is read.
const maxMessage = 10 << 20

// keptHead and keptTail are how much of a message that is too long is looked at:
// the method stands first, the thread behind what is long.
const (
	keptHead = 4096
	keptTail = 1024
)

// tooLongError tells of a message that was thrown away.
type tooLongError struct {
	head, tail []byte
	size       int64
}

func (e *tooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes is longer than the %d that are allowed", e.size, maxMessage)
}

// readLine reads one line of at most limit bytes, without its end. It never holds
// more than that. An unfinished line at the end is not a message.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line, last []byte
	var size int64
	for {
		piece, err := r.ReadSlice('\n')
		size += int64(len(piece))
		if keep := limit + 1 - len(line); keep > 0 {
			line = append(line, piece[:min(keep, len(piece))]...)
		}
		if size > int64(limit)+1 {
			last = append(last, piece...)
			last = last[max(0, len(last)-keptTail):]
		}
		switch {
		case err == nil && size > int64(limit)+1:
			return nil, &tooLongError{head: line[:min(len(line), keptHead)], tail: last, size: size - 1}
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && size > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// threadMember finds the thread at the end of a message.
var threadMember = regexp.MustCompile(`"threadId":"([0-9a-fA-F-]+)"`)

// sight finds the id, the method and the thread of a message that is lost.
func (e *tooLongError) sight() (m message, threadID string) {
	m, threadID = headOf(e.head)
	if found := threadMember.FindSubmatch(e.tail); threadID == "" && found != nil {
		threadID = string(found[1])
	}
	return m, threadID
}

// headOf reads them at the beginning of a message.
func headOf(head []byte) (m message, threadID string) {
	dec := json.NewDecoder(bytes.NewReader(head))
	depth, key := 0, ""
	isKey := false
	for {
		tok, err := dec.Token()
		if err != nil {
			return m, threadID
		}
		switch t := tok.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			isKey, key = t == '{' || depth == 1, ""
			continue
		case string:
			if isKey {
				key, isKey = t, false
				continue
			}
			switch {
			case depth == 1 && key == "method":
				m.Method = t
			case depth == 2 && key == "threadId":
				threadID = t
			}
		case float64:
			if depth == 1 && key == "id" {
				m.ID = fmt.Appendf(nil, "%d", int64(t))
			}
		}
		isKey = true
	}
}
