package memory

import (
	"fmt"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// prompt makes the demo say as much as one turn may: its frames come to a little
// below the limit of the retained log.
const prompt = "/big 59"

// kept is a lease and the size of the log that the bridge should have for it.
type kept struct {
	token frames.Token
	size  int
}

// talk takes a fresh lease and lets its log fill up; the client stays attached.
func talk(addr string) (*rig.Client, kept, error) {
	c, err := rig.Attach(addr)
	if err != nil {
		return nil, kept{}, err
	}
	k := kept{token: c.Token}
	err = c.Send(frames.UserText{Text: []byte(prompt)})
	if err == nil {
		k.size, err = count(c, frames.TypeTurnDone)
	}
	if err == nil && k.size < frames.MaxRetained*9/10 {
		err = fmt.Errorf("%s filled %d bytes of the log, it should be nearly %d", prompt, k.size, frames.MaxRetained)
	}
	if err != nil {
		_ = c.Close()
		return nil, k, err
	}
	return c, k, nil
}

// count reads frames up to one of a type, and adds up those that are retained.
func count(c *rig.Client, last frames.Type) (int, error) {
	size := 0
	for {
		f, err := c.Frames.Next()
		if err != nil {
			return 0, err
		}
		switch f.Type {
		case frames.TypeError, frames.TypeTurnFailed, frames.TypeTurnCancelled:
			return 0, fmt.Errorf("%v: %q", f.Type, f.Payload)
		case frames.TypeReconnectDone:
		default:
			size += frames.HeaderSize + len(f.Payload)
		}
		if f.Type == last {
			return size, nil
		}
	}
}

// check takes a lease up from the start, to see that its log was really there.
func (k kept) check(addr string) error {
	c, err := rig.Greet(addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Ask(frames.Reconnect{Token: k.token}, new(frames.ReconnectState)); err != nil {
		return err
	}
	got, err := count(c, frames.TypeReconnectDone)
	if err == nil && got != k.size {
		err = fmt.Errorf("the bridge retained %d of %d bytes", got, k.size)
	}
	return err
}
