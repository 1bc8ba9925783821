package push

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"aead.dev/minisign"
)

// deafLine is a line that is cut at an upload: once something of the answer arrives,
// or, if early, once all was sent, of which nothing arrived.
type deafLine struct {
	net.Conn
	early  bool
	upload atomic.Bool // the request is one
	sent   []byte
}

func (l *deafLine) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("POST /update/bundle ")) {
		l.upload.Store(true)
	}
	if !l.upload.Load() || !l.early {
		return l.Conn.Write(b)
	}
	if l.sent = append(l.sent, b...); bytes.HasSuffix(l.sent, []byte("--\r\n")) {
		return len(b), l.Close()
	}
	return len(b), nil
}

func (l *deafLine) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if l.upload.Load() && n > 0 {
		return 0, errors.Join(errors.New("connection reset by peer"), l.Close())
	}
	return n, err
}

func deaf(dev *device, early bool) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dev.dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &deafLine{Conn: c, early: early}, nil
	}
}

func TestLostAnswerIsAskedFor(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, notes *[]string) {
		o.dial = deaf(dev, false)
		o.Bundle = dev.bundleOf("v1.1.0", dev.private)
		if err := Run(t.Context(), o); err != nil || dev.d.Version() != "v1.1.0" || dev.d.InTrial() {
			t.Errorf("Run: %v, %s runs", err, dev.d.Version())
		}
		if all := strings.Join(*notes, "; "); !strings.Contains(all, "answer was lost") || !strings.Contains(all, "v1.1.0 runs") {
			t.Errorf("it said %s", all)
		}
	})
}

func TestLostRefusalIsAskedFor(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, _ *[]string) {
		o.dial = deaf(dev, false)
		_, stranger, err := minisign.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		o.Bundle = dev.bundleOf("v1.1.0", stranger)
		if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "refused: the update is signed with a key that this device does not know") {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestUpdateThatNeverArrivedIsNoOldResult(t *testing.T) {
	pushing(t, func(t *testing.T, dev *device, o Options, _ *[]string) {
		o.Bundle = dev.bundleOf("v1.1.0", dev.private)
		if err := Run(t.Context(), o); err != nil { // so that there is an old result, and a good one
			t.Fatal(err)
		}
		o.dial = deaf(dev, true)
		o.Bundle = dev.bundleOf("v1.2.0", dev.private)
		if err := Run(t.Context(), o); err == nil || !strings.HasPrefix(err.Error(), "send the update: ") || dev.d.Version() != "v1.1.0" {
			t.Errorf("Run: %v, %s runs", err, dev.d.Version())
		}
	})
}
