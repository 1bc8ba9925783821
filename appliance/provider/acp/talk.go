package acp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider/transcript"
)

// talk is the answer of a turn. Messages are set apart by a blank line: agents
// that stream them leave that to their client.
type talk struct {
	said    strings.Builder // what is kept
	more    int             // bytes beyond that
	tail    string          // the last two bytes that were said
	message string          // the message that the last piece was of
	apart   bool            // something stood between: the next piece is another message
}

// next makes a piece of a message, which may be known by an ID, ready to be said.
func (k *talk) next(text, message string) string {
	if k.tail != "" && (k.apart || message != k.message) {
		text = separator(k.tail) + text
	}
	k.apart, k.message = false, message
	return text
}

// keep keeps a piece that was said.
func (k *talk) keep(text string) {
	if tail := k.tail + text; len(tail) > 2 {
		k.tail = tail[len(tail)-2:]
	} else {
		k.tail = tail
	}
	if k.more > 0 || k.said.Len()+len(text) > transcript.MaxAnswer {
		k.more += len(text)
	} else {
		k.said.WriteString(text)
	}
}

// kept is the answer as it is stored.
func (k *talk) kept() string {
	if k.more == 0 {
		return k.said.String()
	}
	return k.said.String() + fmt.Sprintf("\n\n(%d more bytes were not kept)", k.more)
}

// separator is what a text lacks to a blank line.
func separator(text string) string {
	switch {
	case text == "" || strings.HasSuffix(text, "\n\n"):
		return ""
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return "\n\n"
}

// chunkText is what a content block has to read; empty for one of a kind that
// nobody knows.
func chunkText(raw json.RawMessage) string {
	var b block
	if len(raw) == 0 || decode(raw, &b) != nil {
		return ""
	}
	return b.text()
}

func (b *block) text() string {
	switch b.Type {
	case "text":
		return b.Text
	case "image":
		return "(an image)"
	case "audio":
		return "(a sound)"
	case "resource_link":
		if b.Name == "" {
			return b.URI
		}
		return b.Name
	case "resource":
		return b.Resource.Text
	}
	return ""
}
