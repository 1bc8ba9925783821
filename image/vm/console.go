package vm

import (
	"io"
	"sync"
)

// maxConsole bounds what is kept of a console.
const maxConsole = 4 << 20

// console keeps what a machine prints, and copies it to another writer.
type console struct {
	mu    sync.Mutex
	kept  []byte
	to    io.Writer
	first chan struct{} // closed when something was printed
	once  sync.Once
}

func newConsole(to io.Writer) *console { return &console{to: to, first: make(chan struct{})} }

// Write never fails: a machine must not block because nobody reads its console.
func (c *console) Write(p []byte) (int, error) {
	c.once.Do(func() { close(c.first) })
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = append(c.kept, p[:min(len(p), maxConsole-len(c.kept))]...)
	if c.to != nil {
		_, _ = c.to.Write(p)
	}
	return len(p), nil
}

func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.kept)
}
