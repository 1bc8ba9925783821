package codex

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/hang"
)

// readAll reads until the end.
func (c *conn) readAll() error {
	for {
		hang.Here("codex reader")
		raw, err := c.t.read()
		var long *tooLongError
		switch {
		case errors.As(err, &long):
			if err := c.skipped(long); err != nil {
				c.t.kill()
				return err
			}
			continue
		case err != nil:
			return errors.New(c.t.why(err))
		}
		var m message
		if json.Unmarshal(raw, &m) != nil {
			c.log.Warn("codex: a line that is no message", "bytes", len(raw))
			continue
		}
		c.dispatch(&m)
	}
}

// dispatch hands a message to where it belongs.
func (c *conn) dispatch(m *message) {
	if m.Method != "" {
		c.handle(m)
		return
	}
	if !m.hasID() {
		return
	}
	c.mu.Lock()
	reply := c.pending[string(m.ID)]
	delete(c.pending, string(m.ID))
	c.mu.Unlock()
	if reply != nil {
		reply(m)
	}
}

// skipped settles what a message that was thrown away meant. The answer to a
// request fails it, an item's event is missed by nobody, since the turn's end
// closes every item. Anything else might be what a turn waits for.
func (c *conn) skipped(long *tooLongError) error {
	m, thread := long.sight()
	c.log.Warn("codex: a message was too long", "method", m.Method, "bytes", long.size)
	switch {
	case m.Method == "" && m.hasID():
		c.dispatch(&message{ID: m.ID, Error: &rpcError{Code: codeInvalidRequest, Message: long.Error()}})
		return nil
	case isItemEvent(m.Method) && !m.hasID():
		if params, err := json.Marshal(scope{ThreadID: thread}); err == nil {
			c.handle(&message{Method: methodSkipped, Params: params})
		}
		return nil
	}
	return fmt.Errorf("codex was ended: it sent %w", long)
}
