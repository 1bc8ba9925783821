package codextest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// stampDigits is how long a word of [[clock]] is, for the next two centuries.
const stampDigits = 19

// clock says words that are the times at which they are written.
func (t *turn) clock(args string) {
	var n, ms int
	if _, err := fmt.Sscanf(args, "%d %d", &n, &ms); err != nil {
		t.say("That is no clock: " + args)
		return
	}
	id := t.newItem("msg")
	t.item("started", map[string]any{"type": "agentMessage", "id": id, "text": ""})
	var all strings.Builder
	for range n {
		t.pause(time.Duration(ms) * time.Millisecond)
		if t.interrupted() {
			return
		}
		word := " " + strconv.FormatInt(time.Now().UnixNano(), 10)
		t.notify("item/agentMessage/delta", map[string]any{"itemId": id, "delta": word})
		all.WriteString(word)
	}
	whole := map[string]any{"type": "agentMessage", "id": id, "text": all.String()}
	t.item("completed", whole)
	t.keep(whole)
}

// Stamps takes the whole words of [[clock]] off the beginning of a text: the
// times at which they were written, by the clock of the machine.
func Stamps(text string) (times []time.Time, rest string) {
	for {
		word := strings.TrimLeft(text, " \n")
		if len(word) < stampDigits {
			return times, word
		}
		ns, err := strconv.ParseInt(word[:stampDigits], 10, 64)
		if err != nil {
			return times, word
		}
		times, text = append(times, time.Unix(0, ns)), word[stampDigits:]
	}
}
