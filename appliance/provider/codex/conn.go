package codex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// maxUnsent is how many messages may wait for a server that does not read. A
// server that far behind is taken for dead.
const maxUnsent = 1024

// errGone is the answer to what was asked of a server that died.
var errGone = errors.New("codex is gone")

// conn speaks JSON-RPC over a transport. Its reader calls handle for every
// notification and request, and a request's own function for its answer, in the
// order in which they came; neither may wait for the server.
type conn struct {
	t      transport
	log    *slog.Logger
	handle func(*message)
	out    chan []byte
	dead   chan struct{} // closed when the reader ended
	ended  sync.WaitGroup
	ending atomic.Bool // by us

	mu      sync.Mutex
	nextID  int64
	pending map[string]func(*message)
	err     error // why it is dead
}

// newConn starts the reader and the writer. onDeath is called once, after the
// last message, and after every open request got errGone. A fault in the reader is
// the death of the server for everybody: what was read by then is lost.
func newConn(t transport, log *slog.Logger, handle func(*message), onDeath func(error)) *conn {
	c := &conn{
		t: t, log: log, handle: handle,
		out:     make(chan []byte, maxUnsent),
		dead:    make(chan struct{}),
		pending: map[string]func(*message){},
	}
	over := func(err error) {
		c.die(err)
		onDeath(err)
	}
	guarded.In(&c.ended, "codex reader", func() { over(c.readAll()) }, func(err error) {
		c.t.kill()
		over(err)
	})
	guarded.In(&c.ended, "codex writer", c.writeAll, func(error) { c.t.kill() })
	return c
}

// request sends a request; reply is called by the reader with the answer, or
// with errGone as its error. It never waits.
func (c *conn) request(method string, params any, reply func(*message)) {
	raw, err := json.Marshal(params)
	if err != nil {
		reply(&message{Error: &rpcError{Code: codeInvalidRequest, Message: err.Error()}})
		return
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		reply(goneMessage())
		return
	}
	c.nextID++
	id := strconv.FormatInt(c.nextID, 10)
	c.pending[id] = reply
	c.mu.Unlock()
	c.send(&message{ID: json.RawMessage(id), Method: method, Params: raw})
}

// notify sends a notification.
func (c *conn) notify(method string) { c.send(&message{Method: method}) }

// respond answers a request of the server.
func (c *conn) respond(id json.RawMessage, result any) {
	raw, err := json.Marshal(result)
	if err != nil {
		c.refuse(id, codeInvalidRequest, err.Error())
		return
	}
	c.send(&message{ID: id, Result: raw})
}

// refuse answers a request of the server with an error.
func (c *conn) refuse(id json.RawMessage, code int, words string) {
	c.send(&message{ID: id, Error: &rpcError{Code: code, Message: words}})
}

// call sends a request and waits for the answer.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	answer := make(chan *message, 1)
	c.request(method, params, func(m *message) { answer <- m })
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("%s: %w", method, m.failure())
		}
		if result == nil {
			return nil
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("%s: the answer cannot be read: %w", method, err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// send hands a message to the writer.
func (c *conn) send(m *message) {
	raw, err := json.Marshal(m)
	if err != nil { // a RawMessage of ours that is no JSON: cannot be
		c.log.Error("codex: a message cannot be written", "method", m.Method, "error", err)
		return
	}
	select {
	case c.out <- raw:
	case <-c.dead:
	default:
		c.log.Error("codex: the server does not read what it is sent; ending it")
		c.t.kill()
	}
}

func (c *conn) writeAll() {
	for {
		select {
		case raw := <-c.out:
			if err := c.t.write(raw); err != nil {
				// The reader learns of it by itself, and knows why.
				c.t.kill()
				return
			}
		case <-c.dead:
			return
		}
	}
}

// die marks the connection dead and fails what is open.
func (c *conn) die(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
		close(c.dead)
	}
	pending := c.pending
	c.pending = nil
	c.mu.Unlock()
	for _, reply := range pending {
		guarded.Run("codex answer", func() { reply(goneMessage()) }, nil)
	}
}

func goneMessage() *message {
	return &message{gone: true, Error: &rpcError{Code: codeInvalidRequest, Message: errGone.Error()}}
}

// isDead reports whether the server is gone.
func (c *conn) isDead() bool {
	select {
	case <-c.dead:
		return true
	default:
		return false
	}
}

// end ends the server and waits for the goroutines.
func (c *conn) end() {
	c.ending.Store(true)
	c.t.end()
	c.ended.Wait()
}

// deathError is why the server is gone; nil while it lives.
func (c *conn) deathError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
