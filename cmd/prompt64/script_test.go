package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

func TestMain(m *testing.M) {
	agenttest.Main()
	testscript.Main(m, map[string]func(){"prompt64": main})
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Values[serverKey{}] = new(*server)
			// The race detector's runtime waits a second at exit otherwise.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve":  cmdServe,
			"end":    cmdEnd,
			"get":    cmdGet,
			"browse": cmdBrowse,
			"greet":  cmdGreet,
			"bytes":  cmdBytes,

			"agentarchive": cmdAgentArchive,
			"agentserver":  cmdAgentServer,
			"barepath":     cmdBarePath,
			"turn":         cmdTurn,
		},
	})
}

// patience ends a script that hangs, and not one on a machine that is slow.
const patience = 2 * time.Minute

// serverKey finds a script's *server, nil while it runs none.
type serverKey struct{}

// server is the bridge that a script runs.
type server struct {
	cmd  *exec.Cmd
	out  *bufio.Reader
	log  strings.Builder
	stop *time.Timer
}

// cmdServe starts "prompt64 serve" on free ports with the given flags, waits for
// its ready line and sets BRIDGE and WEB to the addresses.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("serve cannot be negated: use exec")
	}
	flags := append([]string{"serve", "-listen", "127.0.0.1:0", "-web", "127.0.0.1:0"}, args...)
	s := &server{cmd: exec.Command(filepath.Join(firstPath(ts), "prompt64"), flags...)}
	s.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "XDG_DATA_HOME", codeVariable, "TMPDIR", "PATH", "GORACE"} {
		s.cmd.Env = append(s.cmd.Env, name+"="+ts.Getenv(name))
	}
	s.cmd.Stderr = &s.log
	pipe, err := s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	s.stop = time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	s.out = bufio.NewReader(pipe)
	ts.Defer(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	line, err := s.out.ReadString('\n')
	if err != nil {
		_ = s.cmd.Wait()
		ts.Fatalf("serve ended before it was ready: %v\n%s", err, s.log.String())
	}
	var bridge, web string
	if n, err := fmt.Sscanf(line, "ready bridge=%s web=%s\n", &bridge, &web); n != 2 || err != nil {
		ts.Fatalf("ready line %q: %v", line, err)
	}
	ts.Setenv("BRIDGE", bridge)
	ts.Setenv("WEB", web)
	_, port, err := net.SplitHostPort(bridge)
	ts.Check(err)
	ts.Setenv("BRIDGEPORT", port)
	*ts.Value(serverKey{}).(**server) = s
}

// firstPath is where testscript put this program.
func firstPath(ts *testscript.TestScript) string {
	return filepath.SplitList(ts.Getenv("PATH"))[0]
}

// cmdEnd sends a signal (TERM or INT) and expects exit code 0 and no further
// output. Its log is left in the file serve.log.
func cmdEnd(ts *testscript.TestScript, neg bool, args []string) {
	slot := ts.Value(serverKey{}).(**server)
	s := *slot
	if s == nil || neg {
		ts.Fatalf("usage: end [TERM|INT], after serve")
	}
	*slot = nil
	sig := os.Signal(syscall.SIGTERM)
	if len(args) == 1 && args[0] == "INT" {
		sig = os.Interrupt
	}
	ts.Check(s.cmd.Process.Signal(sig))
	rest, err := io.ReadAll(s.out)
	ts.Check(err)
	err = s.cmd.Wait()
	s.stop.Stop()
	ts.Check(os.WriteFile(ts.MkAbs("serve.log"), []byte(s.log.String()), 0o644))
	if err != nil || len(rest) > 0 {
		ts.Fatalf("serve ended with %v and said %q; its log:\n%s", err, rest, s.log.String())
	}
}

// cmdGet fetches URL into FILE and expects STATUS, 200 if none is given.
func cmdGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: get URL FILE [STATUS]")
	}
	client := http.Client{Timeout: patience}
	res, err := client.Get(args[0])
	ts.Check(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), body, 0o644))
	want := http.StatusOK
	if len(args) == 3 {
		want, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	if res.StatusCode != want {
		ts.Fatalf("%s: status %d, want %d: %s", args[0], res.StatusCode, want, body)
	}
}

// cmdGreet connects to ADDR, greets, asks for a lease and expects one; negated,
// it expects the refusal WORDS instead.
func cmdGreet(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: [!] greet ADDR [WORDS]")
	}
	nc, err := net.Dial("tcp", args[0])
	ts.Check(err)
	defer nc.Close()
	ts.Check(nc.SetDeadline(time.Now().Add(patience)))
	_, err = nc.Write(frames.LeaseGet{}.AppendTo(frames.Hello{}.AppendTo(nil)))
	ts.Check(err)
	r := frames.NewReader(nc, frames.ToC64)
	f, err := r.Next()
	ts.Check(err)
	if f.Type != frames.TypeHelloOk {
		ts.Fatalf("greeting answered with %v", f.Type)
	}
	f, err = r.Next()
	ts.Check(err)
	switch {
	case !neg && f.Type != frames.TypeLeaseState:
		ts.Fatalf("lease refused: %v %q", f.Type, f.Payload)
	case neg && (f.Type != frames.TypeError || string(f.Payload) != strings.Join(args[1:], " ")):
		ts.Fatalf("got %v %q, want the words %q", f.Type, f.Payload, args[1:])
	}
}

// cmdBytes writes bytes, given in hexadecimal, to FILE.
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: bytes FILE HEX...")
	}
	var out []byte
	for _, word := range args[1:] {
		b, err := strconv.ParseUint(word, 16, 8)
		ts.Check(err)
		out = append(out, byte(b))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out, 0o644))
}

// cmdTurn connects to ADDR, sends PROMPT and waits for the first words of the
// answer. The connection stays until the script's end.
func cmdTurn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: turn ADDR PROMPT")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", args[0])
	}})
	ts.Defer(c.Close)
	ts.Check(c.Connect(ctx))
	ts.Check(c.Prompt(args[1]))
	ts.Check(c.WaitText(ctx, 1))
}
