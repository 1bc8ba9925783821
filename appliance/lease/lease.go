package lease

import "github.com/prompt64/prompt64/frames"

type lease struct {
	table *Table
	token frames.Token
	inbox chan message
	gone  chan struct{}
}

type message struct {
	att  *Attachment
	req  any
	fail string
	pull *pull
}

type pull struct {
	dst   []byte
	reply chan pulled
}

type pulled struct {
	frame []byte
	err   error
}

func (l *lease) send(m message) {
	select {
	case l.inbox <- m:
	case <-l.gone:
	}
}
func (t *Table) detach(a *Attachment)     {}
func decode(f frames.Frame) (any, *Fault) { return nil, nil }
