package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/provider"
)

// helloTime is how long an agent may take to answer the first request. Some need
// a quarter of a minute on a fast machine.
const helloTime = 2 * time.Minute

// listener hears what an agent sends by itself. Its methods are called by the one
// goroutine that reads the agent.
type listener interface {
	update(sessionID string, u *update)
	asked(id json.RawMessage, p *permission)
	withdrawn(id json.RawMessage)
	refused(method string)
	promptAnswered()
	promptSent()
}

// agent is one agent at work: its process and the connection to it.
type agent struct {
	cfg   *Config
	proc  *process
	out   *outbox
	conn  *sdk.Connection
	hello hello
	eof   chan struct{} // closed when nothing comes any more
	done  chan struct{} // closed when the process is gone too
	fault error         // of the reader; read after done

	mu        sync.Mutex
	hears     listener        // nil while the agent is a spare
	promptID  json.RawMessage // of the prompt that runs
	sessionID string          // empty before session/new
	access    accessState
}

// startAgent starts a process and shakes hands with it. The context is for that
// alone.
func startAgent(ctx context.Context, cfg *Config, workspace string) (*agent, error) {
	proc, err := startProcess(cfg.User, cfg.Argv, cfg.environment(), workspace, cfg.Logger)
	if err != nil {
		return nil, cfg.startWords(err)
	}
	a := &agent{cfg: cfg, proc: proc, eof: make(chan struct{}), done: make(chan struct{})}
	a.out = newOutbox(proc.stdin, a.wrote)
	answers, responses := io.Pipe()
	a.conn = sdk.NewConnection(refuseAll, a.out, answers)
	a.conn.SetLogger(slog.New(slog.DiscardHandler)) // it logs whole messages
	guarded.Go("agent's reader", func() { a.live(responses) }, nil)
	if err := guarded.Call("agent's greeting", func() error { return a.greet(ctx) }); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// refuseAll is never asked: requests do not reach the SDK.
func refuseAll(_ context.Context, method string, _ json.RawMessage) (any, *sdk.RequestError) {
	return nil, sdk.NewMethodNotFound(method)
}

// greet is the handshake. No file system and no terminal is offered.
func (a *agent) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	title := "Prompt64"
	var err error
	a.hello, err = request[hello](ctx, a, sdk.AgentMethodInitialize, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		ClientInfo:      &sdk.Implementation{Name: "prompt64", Title: &title, Version: a.cfg.Version},
	})
	switch {
	case err != nil && ctx.Err() == context.DeadlineExceeded:
		return fmt.Errorf("%s does not answer", a.cfg.command())
	case err != nil:
		return fmt.Errorf("%s did not start: %w", a.cfg.command(), err)
	case a.hello.ProtocolVersion != sdk.ProtocolVersionNumber:
		return fmt.Errorf("%s speaks version %d of the protocol, and this program version %d: update the older one",
			a.cfg.command(), a.hello.ProtocolVersion, sdk.ProtocolVersionNumber)
	}
	return nil
}

// request sends a request and waits for its answer.
func request[T any](ctx context.Context, a *agent, method string, params any) (T, error) {
	answer, err := sdk.SendRequest[json.RawMessage](a.conn, ctx, method, params)
	var into T
	if err == nil && len(answer) > 0 {
		err = decode(answer, &into)
	}
	return into, a.explain(err)
}

// explain turns a request's error into words. One that came of the agent's end
// waits for the end, to say how it was.
func (a *agent) explain(err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-a.eof:
		<-a.done
		if a.fault != nil {
			return a.fault
		}
		return errEnded{a.proc.words()}
	default:
		return requestError(err)
	}
}

// tell makes a listener hear the agent from now on.
func (a *agent) tell(l listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hears = l
}

// live reads the agent until it ends, and takes the process away then. So it does
// after a fault in the reading, since nobody would hear the agent any more.
func (a *agent) live(responses *io.PipeWriter) {
	defer a.bury(responses)
	guarded.Run("agent's reader", func() { a.read(responses) }, func(err error) { a.fault = err })
}

func (a *agent) bury(responses *io.PipeWriter) {
	close(a.eof)
	_ = responses.Close()
	a.out.Close()
	a.proc.stop()
	_ = a.proc.stdout.Close()
	<-a.out.done
	<-a.conn.Done()
	close(a.done)
}

// close ends the agent, by force if need be, and waits for that. Commands that it
// gave a process group of their own, and leaves behind, end with it.
func (a *agent) close() {
	family := a.proc.family()
	a.out.Close()
	a.proc.stop()
	killAll(family)
	<-a.done
}

// read handles lines in their order until the agent's output ends.
func (a *agent) read(responses io.Writer) {
	lines := newLineReader(provider.NewPipe(a.proc.stdout))
	for {
		hang.Here("agent reader")
		line, err := lines.next()
		switch {
		case err == errLongLine && bytes.Contains(line, []byte(`"session/update"`)):
			a.cfg.Logger.Warn("an update of the agent was left out: it is too long", "limit", maxLine)
		case err == errLongLine:
			a.cfg.Logger.Error("the agent sent a message that is too long", "limit", maxLine)
			return
		case err != nil:
			return
		case len(line) > 0:
			a.line(line, responses)
		}
	}
}

// line handles one message.
func (a *agent) line(line []byte, responses io.Writer) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		a.cfg.Logger.Debug("the agent printed what is no message", "bytes", len(line))
		return
	}
	a.mu.Lock()
	hears := a.hears
	answered := m.Method == "" && a.promptID != nil && bytes.Equal(m.ID, a.promptID)
	if answered {
		a.promptID = nil
	}
	a.mu.Unlock()
	switch {
	case m.Method == "":
		if answered && hears != nil {
			hears.promptAnswered()
		}
		_, _ = responses.Write(append(line, '\n')) // the SDK reads until this end closes
	case len(m.ID) > 0 && string(m.ID) != "null":
		a.asks(&m, hears)
	default:
		a.notes(&m, hears)
	}
}

// asks takes a request of the agent. All but one kind are refused.
func (a *agent) asks(m *message, hears listener) {
	id := bytes.Clone(m.ID)
	var p permission
	switch {
	case m.Method != sdk.ClientMethodSessionRequestPermission:
		a.cfg.Logger.Warn("a request of the agent was refused", "method", m.Method)
		if hears != nil {
			hears.refused(m.Method)
		}
		a.fail(id, sdk.NewMethodNotFound(m.Method))
	case decode(m.Params, &p) != nil || hears == nil:
		a.answer(id, cancelledOutcome)
	default:
		hears.asked(id, &p)
	}
}

// notes takes a notification.
func (a *agent) notes(m *message, hears listener) {
	switch m.Method {
	case sdk.ClientMethodSessionUpdate:
		var n notification
		var u update
		if decode(m.Params, &n) != nil || decode(n.Update, &u) != nil {
			a.cfg.Logger.Debug("an update of the agent cannot be read")
			return
		}
		a.learn(&u)
		if hears != nil {
			hears.update(n.SessionID, &u)
		}
	case "$/cancel_request":
		var p struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if decode(m.Params, &p) == nil && hears != nil {
			hears.withdrawn(p.RequestID)
		}
	default:
		a.cfg.Logger.Debug("a notification of the agent was left out", "method", m.Method)
	}
}

// answer sends the result of a request of the agent.
func (a *agent) answer(id json.RawMessage, result any) {
	a.send(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func (a *agent) fail(id json.RawMessage, err *sdk.RequestError) {
	a.send(map[string]any{"jsonrpc": "2.0", "id": id, "error": err})
}

// cancel asks the agent to end its turn.
func (a *agent) cancel() {
	a.mu.Lock()
	params := sdk.CancelNotification{SessionId: sdk.SessionId(a.sessionID)}
	a.mu.Unlock()
	a.send(map[string]any{"jsonrpc": "2.0", "method": sdk.AgentMethodSessionCancel, "params": params})
}

func (a *agent) send(m map[string]any) {
	line, err := json.Marshal(m)
	if err == nil {
		_, err = a.out.Write(append(line, '\n'))
	}
	if err != nil {
		a.cfg.Logger.Debug("a message to the agent was lost", "error", err)
	}
}

// wrote hears of each line to the agent. A cancel that comes before its prompt
// would be lost, so the session learns when the prompt is on its way.
func (a *agent) wrote(line []byte) {
	if !bytes.Contains(line[:min(len(line), 80)], []byte(`"method":"`+sdk.AgentMethodSessionPrompt+`"`)) {
		return
	}
	var m message
	if json.Unmarshal(line, &m) != nil {
		return
	}
	a.mu.Lock()
	a.promptID = m.ID
	hears := a.hears
	a.mu.Unlock()
	if hears != nil {
		hears.promptSent()
	}
}

// environment is the bridge's own, without what is the bridge's alone, and with
// the preset's defaults and the configuration's values.
func (c *Config) environment() []string {
	var env []string
	env = append(env, c.preset.env...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PROMPT64_") {
			env = append(env, v)
		}
	}
	return append(env, c.Env...) // of two values the last one counts
}
