package framestest

import (
	"fmt"
	"slices"

	"github.com/prompt64/prompt64/frames"
)

// violate notes what the bridge must not do. It is called with mu held.
func (c *Client) violate(format string, args ...any) {
	v := fmt.Sprintf(format, args...)
	c.violations = append(c.violations, v)
	c.cfg.Logf("violation: %s", v)
}

// unasked notes what nobody asked for, unless Send makes that unknowable.
func (c *Client) unasked(format string, args ...any) {
	if !c.unscripted {
		c.violate(format, args...)
	}
}

// Violations returns what the bridge did that the protocol forbids: a gap in the
// sequences, a frame sent twice, one that cannot be decoded, one that nobody asked
// for, a turn with two ends, a wrong count. A test ends with none. Once Send was
// used the client no longer knows who asked for what, and notes the rest only.
func (c *Client) Violations() []string {
	return locked(c, func() []string { return slices.Clone(c.violations) })
}

// Transcript returns all that the user saw so far.
func (c *Client) Transcript() Transcript {
	return locked(c, func() Transcript { return slices.Clone(c.transcript) })
}

// Errors returns the texts of all Error frames so far, those of the greeting too.
func (c *Client) Errors() []string {
	return locked(c, func() []string { return slices.Clone(c.errors) })
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats { return locked(c, func() Stats { return c.stats }) }

// Capabilities returns the mask of the last HelloOk.
func (c *Client) Capabilities() frames.Capabilities {
	return locked(c, func() frames.Capabilities { return c.caps })
}

// Token returns the lease's token, zero if there is none.
func (c *Client) Token() frames.Token { return locked(c, func() frames.Token { return c.token }) }

// Applied returns the last applied sequence.
func (c *Client) Applied() uint16 { return locked(c, func() uint16 { return c.applied }) }

// Record returns what a restarted program would find in RAM; see Config.Record.
func (c *Client) Record() Record { return locked(c, func() Record { return Record{c.token, c.base} }) }

// Editor returns the prompt that went back to the editor because the bridge
// refused it or the lease expired.
func (c *Client) Editor() string { return locked(c, func() string { return c.editor }) }

// Attached reports whether the link is up and the replay is over.
func (c *Client) Attached() bool {
	return locked(c, func() bool { return c.link != nil && c.link.ready })
}

func locked[T any](c *Client, f func() T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return f()
}
