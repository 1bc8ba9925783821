package codex

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// bridged is a client on a bridge that drives Codex.
type bridged struct {
	bridge *rig.Bridge
	client *rig.Client
	dir    string
}

var _ talker = (*bridged)(nil)

func openBridge(ctx context.Context) (talker, error) {
	dir, err := os.MkdirTemp("", "prompt64-bench-")
	if err != nil {
		return nil, err
	}
	agent, err := codex.New(codex.Config{Argv: codextest.Argv(), Env: codextest.Env(), DataDir: dir})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	b, err := rig.StartWith(ctx, agent)
	if err != nil {
		return nil, errors.Join(err, agent.Close(), os.RemoveAll(dir))
	}
	c, err := rig.Attach(b.Addr)
	if err != nil {
		return nil, errors.Join(err, b.Close(), os.RemoveAll(dir))
	}
	return &bridged{b, c, dir}, nil
}

// turn implements talker.
func (t *bridged) turn(prompt string) (heard, error) {
	h := heard{sent: time.Now()}
	if err := t.client.Send(frames.UserText{Text: []byte(prompt)}); err != nil {
		return h, err
	}
	for {
		f, err := t.client.Frames.Next()
		at := time.Now()
		if err != nil {
			return h, fmt.Errorf("turn over the bridge: %w", err)
		}
		var m frames.AssistantDelta
		switch f.Type {
		case frames.TypeAssistantDelta:
			if err := m.Decode(f); err != nil {
				return h, err
			}
			h.take(string(m.Text), at)
		case frames.TypeTurnDone:
			return h, nil
		case frames.TypeError, frames.TypeTurnFailed, frames.TypeTurnCancelled:
			return h, fmt.Errorf("turn over the bridge: %v: %q", f.Type, f.Payload)
		}
	}
}

// close implements talker.
func (t *bridged) close() error {
	return errors.Join(t.client.Close(), t.bridge.Close(), os.RemoveAll(t.dir))
}
