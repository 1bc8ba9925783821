package codex

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
)

// bare reads Codex's output itself.
type bare struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	dir    string
	thread string
	asked  int
}

var _ talker = (*bare)(nil)

// line is as much of a message as is looked at.
type line struct {
	ID     int
	Method string
	Error  json.RawMessage
	Result struct{ Thread struct{ ID string } }
	Params struct {
		Delta string
		Turn  struct{ Status string }
	}
}

func openBare(ctx context.Context) (talker, error) {
	dir, err := os.MkdirTemp("", "prompt64-bench-")
	if err != nil {
		return nil, err
	}
	argv := codextest.Argv()
	t := &bare{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...), dir: dir}
	t.cmd.Env = append(append(os.Environ(), codextest.Env()...), "CODEX_HOME="+dir)
	in, err := t.cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	t.in, t.out = in, bufio.NewReaderSize(out, 64<<10)
	if err := t.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := t.begin(); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// begin shakes hands and starts a thread.
func (t *bare) begin() error {
	if _, err := t.call("initialize", map[string]any{"clientInfo": map[string]string{"name": "bench", "version": "0"}}); err != nil {
		return err
	}
	started, err := t.call("thread/start", map[string]any{"cwd": t.dir})
	t.thread = started.Result.Thread.ID
	return err
}

// ask sends a request.
func (t *bare) ask(method string, params any) error {
	t.asked++
	raw, err := json.Marshal(map[string]any{"id": t.asked, "method": method, "params": params})
	if err != nil {
		return err
	}
	_, err = t.in.Write(append(raw, '\n'))
	return err
}

// next reads a message and tells when it was there.
func (t *bare) next() (l line, at time.Time, err error) {
	raw, err := t.out.ReadBytes('\n')
	at = time.Now()
	if err != nil {
		return l, at, fmt.Errorf("read codex directly: %w", err)
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, at, fmt.Errorf("read codex directly: %w", err)
	}
	if l.Error != nil {
		return l, at, fmt.Errorf("read codex directly: %s", l.Error)
	}
	return l, at, nil
}

// call sends a request and reads up to its answer.
func (t *bare) call(method string, params any) (line, error) {
	if err := t.ask(method, params); err != nil {
		return line{}, err
	}
	for {
		l, _, err := t.next()
		if err != nil || l.Method == "" && l.ID == t.asked {
			return l, err
		}
	}
}

// turn implements talker.
func (t *bare) turn(prompt string) (heard, error) {
	h := heard{sent: time.Now()}
	input := []any{map[string]string{"type": "text", "text": prompt}}
	if err := t.ask("turn/start", map[string]any{"threadId": t.thread, "input": input}); err != nil {
		return h, err
	}
	for {
		l, at, err := t.next()
		switch {
		case err != nil:
			return h, err
		case l.Method == "item/agentMessage/delta":
			h.take(l.Params.Delta, at)
		case l.Method == "turn/completed" && l.Params.Turn.Status == "completed":
			return h, nil
		case l.Method == "turn/completed":
			return h, fmt.Errorf("read codex directly: the turn is %s", l.Params.Turn.Status)
		}
	}
}

// close implements talker.
func (t *bare) close() error {
	return errors.Join(t.in.Close(), t.cmd.Wait(), os.RemoveAll(t.dir))
}
