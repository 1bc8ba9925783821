package codextest

import (
	"net/http"
	"os"

	"github.com/coder/websocket"
	"io"
)

// Marker is the environment variable that makes Main a program.
const Marker = "PROMPT64_PRETENDED_CODEX"

// Main makes the test binary an app-server on its standard streams if the
// Marker is set, and does not return then. Call it at the beginning of TestMain;
// Argv and Env start it.
func Main() {
	if os.Getenv(Marker) == "" {
		return
	}
	s := Server{Home: os.Getenv("CODEX_HOME"), Stderr: os.Stderr, Exit: func() { os.Exit(3) },
		SignedOut: os.Getenv(Marker) == "signed-out"}
	s.log("WARNING: this one only pretends")
	if err := s.Serve(os.Stdin, os.Stdout); err != nil {
		s.log(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// Argv starts the running test binary as an app-server.
func Argv() []string { return []string{os.Args[0]} }

// Env is the environment for that. A test binary with the race detector would
// take a second to exit otherwise.
func Env() []string { return []string{Marker + "=1", "GORACE=atexit_sleep_ms=0"} }

// Socket serves a Server over a WebSocket, as codex app-server --listen does:
// one message a text frame. It refuses any Origin, and any token but its own.
func Socket(s *Server, token string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Origin") != "":
			http.Error(w, "no origins", http.StatusForbidden)
			return
		case token != "" && r.Header.Get("Authorization") != "Bearer "+token:
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		// An HTTP server's Close does not wait for what became a WebSocket, Wait does.
		s.serving.Add(1)
		defer s.serving.Done()
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		ws.SetReadLimit(-1)
		in, feed := io.Pipe()
		go func() {
			for {
				_, raw, err := ws.Read(r.Context())
				if err != nil {
					_ = feed.Close()
					return
				}
				if _, err := feed.Write(append(raw, '\n')); err != nil {
					return
				}
			}
		}()
		_ = s.Serve(in, socketWriter{ws, r})
	})
}

// socketWriter sends each line as a frame.
type socketWriter struct {
	ws *websocket.Conn
	r  *http.Request
}

func (w socketWriter) Write(line []byte) (int, error) {
	err := w.ws.Write(w.r.Context(), websocket.MessageText, line[:len(line)-1])
	return len(line), err
}

func (w socketWriter) Close() error { return w.ws.CloseNow() }
