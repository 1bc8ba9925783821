package codex

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// socketGrace is how long a WebSocket may take to say good-bye.
const socketGrace = time.Second

// socket is an app-server that somebody else runs, over a WebSocket: one message
// a text frame. Ending it leaves the server, and what runs there, alone.
type socket struct {
	ws   *websocket.Conn
	ctx  context.Context
	stop context.CancelFunc
}

var _ transport = (*socket)(nil)

// dialSocket connects. The token is read from its file each time, so that it may
// be changed.
func dialSocket(ctx context.Context, url, bearerFile string) (*socket, error) {
	header := http.Header{}
	if bearerFile != "" {
		token, err := os.ReadFile(bearerFile)
		if err != nil {
			return nil, fmt.Errorf("connect to codex: the token: %w", err)
		}
		header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	// No Origin header: the server answers any with 403, and this client
	// sends none.
	ws, resp, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		if resp != nil && resp.StatusCode == http.StatusUnauthorized {
			return nil, fmt.Errorf("connect to codex: %s refuses the token: check the bearer file", url)
		}
		return nil, fmt.Errorf("connect to codex at %s: is codex app-server --listen running there? %w", url, err)
	}
	ws.SetReadLimit(maxMessage)
	s := &socket{ws: ws}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// read implements transport.
func (s *socket) read() ([]byte, error) {
	_, raw, err := s.ws.Read(s.ctx)
	return raw, err
}

// write implements transport.
func (s *socket) write(msg []byte) error {
	return s.ws.Write(s.ctx, websocket.MessageText, msg)
}

// end implements transport. The good-bye waits for the other side's, which may
// never come.
func (s *socket) end() {
	timer := guarded.AfterFunc(socketGrace, "codex good-bye", s.kill, nil)
	_ = s.ws.Close(websocket.StatusNormalClosure, "")
	timer.Stop()
	s.stop()
}

// kill implements transport.
func (s *socket) kill() {
	s.stop()
	_ = s.ws.CloseNow()
}

// why implements transport.
func (s *socket) why(err error) string {
	s.kill()
	var ended websocket.CloseError
	if errors.As(err, &ended) {
		return fmt.Sprintf("the connection to codex was closed (%d %s)", ended.Code, ended.Reason)
	}
	return "the connection to codex was lost: " + err.Error()
}
