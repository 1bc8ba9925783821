package link

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

// Replay measures how long a full retained log takes on Reconnect, beside the
// same frames written one by one to a bare connection.
func Replay(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	b, err := rig.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	token, log, err := fill(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	var took, bare stats.Sample
	for range 3 * p.Runs() {
		t, err := replayed(ctx, b, token, len(log))
		if err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		c, err := copied(log)
		if err != nil {
			return nil, fmt.Errorf("replay: bare copy: %w", err)
		}
		took, bare = append(took, ms(t)), append(bare, ms(c))
	}
	speed := took.Map(func(ms float64) float64 { return float64(len(log)) / ms / 1e3 })
	row := timed("replay of the retained log", took, fmt.Sprintf("%d bytes, Reconnect to ReconnectDone", len(log)))
	row.Ratio, row.To = stats.Zip(took, bare, divided).Median(), "bare copy"
	return []report.Row{row,
		{Name: "replay", Value: speed.Median(), Unit: "MB/s", Spread: speed.Spread()},
		timed("bare copy of the same frames", bare, "one write a frame"),
	}, nil
}

// fill makes a lease whose log holds as much as it may, and leaves it.
func fill(ctx context.Context, b *rig.Bridge) (frames.Token, []byte, error) {
	c, err := rig.Attach(b.Addr)
	if err != nil {
		return frames.Token{}, nil, err
	}
	defer c.Close()
	session, err := b.Turn(ctx, func() error { return c.Send(frames.UserText{Text: []byte("go")}) })
	if err != nil {
		return frames.Token{}, nil, err
	}
	session.Text(texts.Prose(59 << 10))
	session.End(provider.EndDone, "")
	var log []byte
	for {
		f, err := c.Frames.Next()
		if err != nil {
			return frames.Token{}, nil, err
		}
		log = frames.AppendFrame(log, f.Type, f.Flags, f.Payload)
		if f.Type == frames.TypeTurnDone {
			break
		}
	}
	if limit := frames.MaxRetained; len(log) > limit || len(log) < limit*9/10 {
		return frames.Token{}, nil, fmt.Errorf("the log holds %d bytes, it should be nearly %d", len(log), limit)
	}
	if err := c.Close(); err != nil {
		return frames.Token{}, nil, err
	}
	return c.Token, log, b.Detached(ctx)
}

// replayed takes the lease up with nothing applied, and leaves it again.
func replayed(ctx context.Context, b *rig.Bridge, token frames.Token, size int) (time.Duration, error) {
	c, err := rig.Greet(b.Addr)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	start := time.Now()
	if err := c.Ask(frames.Reconnect{Token: token}, new(frames.ReconnectState)); err != nil {
		return 0, err
	}
	got := 0
	for {
		f, err := c.Frames.Next()
		if err != nil {
			return 0, err
		}
		if f.Type == frames.TypeReconnectDone {
			break
		}
		got += frames.HeaderSize + len(f.Payload)
	}
	took := time.Since(start)
	if got != size {
		return 0, fmt.Errorf("%d bytes came, %d are retained", got, size)
	}
	if err := c.Close(); err != nil {
		return 0, err
	}
	return took, b.Detached(ctx)
}

// copied sends the log's frames over a bare connection.
func copied(log []byte) (time.Duration, error) {
	near, far, err := connect()
	if err != nil {
		return 0, err
	}
	defer near.Close()
	defer far.Close()
	sent := make(chan error, 1)
	start := time.Now()
	go func() { sent <- writeFrames(far, log) }()
	r := frames.NewReader(near, frames.ToC64)
	for got := 0; got < len(log); {
		f, err := r.Next()
		if err != nil {
			return 0, err
		}
		got += frames.HeaderSize + len(f.Payload)
	}
	return time.Since(start), <-sent
}

// writeFrames writes a log frame by frame.
func writeFrames(w io.Writer, log []byte) error {
	for len(log) > 0 {
		n := frames.HeaderSize + int(log[2]) + int(log[3])<<8
		if _, err := w.Write(log[:n]); err != nil {
			return err
		}
		log = log[n:]
	}
	return nil
}
