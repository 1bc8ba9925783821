package link

import (
	"errors"
	"time"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// arrival is an AssistantDelta at the client's socket.
type arrival struct {
	at   time.Time
	text string
}

// arrivals reads a client's deltas until it is closed.
func arrivals(c *rig.Client) <-chan arrival {
	out := make(chan arrival, 1024)
	go func() {
		defer close(out)
		for {
			f, err := c.Frames.Next()
			at := time.Now()
			if err != nil {
				return
			}
			var m frames.AssistantDelta
			if f.Type == frames.TypeAssistantDelta && m.Decode(f) == nil {
				out <- arrival{at, string(m.Text)}
			}
		}
	}()
	return out
}

var errNoDelta = errors.New("the delta did not arrive")

// next waits for one arrival.
func next(ch <-chan arrival) (arrival, error) {
	select {
	case a, ok := <-ch:
		if !ok {
			return a, errNoDelta
		}
		return a, nil
	case <-time.After(10 * time.Second):
		return arrival{}, errNoDelta
	}
}
