package checks

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/frames"
)

// listen serves one connection after the other until the test ends.
func listen(t *testing.T, serve func(net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

func bridgeAt(addr string) health.Probe { return Bridge(func() string { return addr }) }

func TestAnyWellFormedAnswerMeansThatTheBridgeLives(t *testing.T) {
	for _, answer := range []frames.Message{
		frames.HelloOk{Major: frames.MajorVersion},
		frames.Error{Text: []byte(frames.ErrorBridgeFull)},
	} {
		addr := listen(t, func(c net.Conn) {
			f, err := frames.NewReader(c, frames.ToBridge).Next()
			if err != nil || f.Type != frames.TypeHello {
				t.Errorf("the greeting is %v, %v", f.Type, err)
			}
			_, _ = c.Write(answer.AppendTo(nil))
		})
		says(t, check(t, bridgeAt(addr)), health.OK, addr)
	}
}

func TestBridgeThatDoesNotAnswerFails(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"it hangs up":               func(c net.Conn) { _, _ = io.ReadFull(c, make([]byte, frames.HeaderSize)) },
		"its answer makes no sense": func(c net.Conn) { _, _ = c.Write([]byte{byte(frames.TypeHelloOk), 0, 1, 0, 9}) },
	} {
		says(t, check(t, bridgeAt(listen(t, serve))), health.Fail, name)
	}
	says(t, check(t, bridgeAt("")), health.Fail, "does not listen")
	says(t, check(t, Bridge(nil)), health.Off, "does not run")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	says(t, check(t, bridgeAt(addr)), health.Fail, "does not answer")
}

func TestBridgeThatIsSilentIsNotWaitedForForEver(t *testing.T) {
	addr := listen(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }) // until the caller leaves
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	says(t, bridgeAt(addr).Check(ctx), health.Fail, "takes too long")
}
