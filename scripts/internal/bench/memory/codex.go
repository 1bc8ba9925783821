package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// codexPrompt makes Codex say nearly as much as a log retains.
const codexPrompt = "[[fill 59]]"

// BesideCodex reads what the bridge's process holds while it drives Codex: the
// real one where it is installed, with a model that only pretends; else a
// pretended one.
func BesideCodex(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	path, err := responsestest.Find(codex.KnownVersion)
	if err != nil {
		return nil, fmt.Errorf("memory beside codex: %w", err)
	}
	var bridge, agent []usage
	for range p.Runs() {
		b, a, err := besideOne(ctx, p.Bridge, path)
		if err != nil {
			return nil, fmt.Errorf("memory beside codex: %w", err)
		}
		bridge, agent = append(bridge, b), append(agent, a)
	}
	note := "a pretended Codex: scripts/setup-codex installs the real one"
	if path != "" {
		note = "the real Codex " + codex.KnownVersion + ", 1 lease with a full log"
	}
	resident := func(u usage) float64 { return u.resident }
	rows := []report.Row{row("bridge beside Codex: resident", bridge, resident, note)}
	rows[0].Aim = report.AtMost(residentAim)
	if path != "" {
		rows = append(rows, row("Codex itself: resident", agent, resident, "most of it is its file's pages"))
	}
	return rows, nil
}

// besideOne is one bridge with one Codex; an empty path is the pretended one.
func besideOne(ctx context.Context, program, path string) (bridge, agent usage, err error) {
	if program == "" {
		return bridge, agent, errors.New("name the built prompt64 program with -bridge")
	}
	env, args := codextest.Env(), []string{"-codex", codextest.Argv()[0]}
	if path != "" {
		api := responsestest.New()
		defer api.Close()
		dir, err := os.MkdirTemp("", "prompt64-bench-")
		if err != nil {
			return bridge, agent, err
		}
		defer os.RemoveAll(dir)
		if env, args, err = realCodex(api, path, dir); err != nil {
			return bridge, agent, err
		}
	}
	c, err := start(ctx, program, env, args...)
	if err != nil {
		return bridge, agent, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	client, err := rig.Attach(c.addr)
	if err != nil {
		return bridge, agent, err
	}
	defer client.Close()
	if err := client.Send(frames.UserText{Text: []byte(codexPrompt)}); err != nil {
		return bridge, agent, err
	}
	if _, err := count(client, frames.TypeTurnDone); err != nil {
		return bridge, agent, err
	}
	time.Sleep(settling)
	if bridge, err = usageOf(c.cmd.Process.Pid); err != nil {
		return bridge, agent, err
	}
	pid, err := childOf(c.cmd.Process.Pid)
	if err != nil {
		return bridge, agent, err
	}
	agent, err = usageOf(pid)
	return bridge, agent, err
}

// realCodex is what the bridge needs to start the real one, with homes in a
// folder.
func realCodex(api *responsestest.Server, path, dir string) (env, args []string, err error) {
	home, tmp := filepath.Join(dir, "home"), filepath.Join(dir, "tmp")
	if err := errors.Join(api.Furnish(home), os.Mkdir(tmp, 0o700)); err != nil {
		return nil, nil, err
	}
	return append(responsestest.Env(), "TMPDIR="+tmp, "HOME="+tmp), []string{"-codex", path, "-codex-home", home}, nil
}

// childOf is the one process that another has started.
func childOf(pid int) (int, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return 0, err
	}
	var children []string
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) { // a thread may have ended
			return 0, err
		}
		children = append(children, strings.Fields(string(raw))...)
	}
	if len(children) != 1 {
		return 0, fmt.Errorf("the bridge has the children %q, and not Codex alone", children)
	}
	return strconv.Atoi(children[0])
}
