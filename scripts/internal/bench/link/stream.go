package link

import (
	"context"
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// stream is a running turn whose deltas reach a bare client.
type stream struct {
	bridge  *rig.Bridge
	client  *rig.Client
	session *providertest.FakeSession
	deltas  <-chan arrival
}

// open starts a bridge, attaches a client and begins a turn whose first words
// have arrived: what follows is the middle of a line.
func open(ctx context.Context) (*stream, error) {
	b, err := rig.Start(ctx)
	if err != nil {
		return nil, err
	}
	c, err := rig.Attach(b.Addr)
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	s := &stream{bridge: b, client: c}
	s.session, err = b.Turn(ctx, func() error { return c.Send(frames.UserText{Text: []byte("go")}) })
	if err != nil {
		s.close()
		return nil, err
	}
	s.deltas = arrivals(c)
	s.session.Text("Here it comes:")
	if _, err := next(s.deltas); err != nil {
		s.close()
		return nil, fmt.Errorf("first words: %w", err)
	}
	return s, nil
}

// close ends it all; what was measured is not changed by how it ends.
func (s *stream) close() {
	_ = s.client.Close()
	if s.deltas != nil {
		for range s.deltas {
		}
	}
	_ = s.bridge.Close()
}
