package link_test

import (
	"context"
	"net"
	"testing"

	"golang.org/x/net/nettest"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

func TestConnectionsAreNetConns(t *testing.T) {
	nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
		line := linktest.NewLine(0, 1)
		l := link.ListenFast(line.Config())
		c64, err := linktest.Dial(context.Background(), line.C64(), linktest.Config{Baud: 10_000_000})
		if err != nil {
			return nil, nil, nil, err
		}
		bridge, err := l.Accept()
		stop = func() {
			_ = c64.Close()
			_ = bridge.Close()
			_ = l.Close()
			<-c64.Ended()
			<-l.Done()
		}
		return bridge, c64, stop, err
	})
}
