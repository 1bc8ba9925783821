package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// residentAim is the most that the bridge should hold, in MiB.
const residentAim = 32

// settling is how long the process is left alone before it is looked at.
const settling = time.Second

// Measure starts the real program, fills eight detached leases and one attached,
// and reads what the process holds.
func Measure(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var fresh, full []usage
	for range p.Runs() {
		a, b, err := once(ctx, p.Bridge)
		if err != nil {
			return nil, fmt.Errorf("memory of the bridge: %w", err)
		}
		fresh, full = append(fresh, a), append(full, b)
	}
	note := fmt.Sprintf("%d detached leases with a full log, 1 attached", frames.MaxDetachedLeases)
	rows := []report.Row{
		row("bridge, full leases: resident", full, func(u usage) float64 { return u.resident }, note),
		row("bridge, full leases: proportional", full, func(u usage) float64 { return u.proportional }, "shared pages in part"),
		row("bridge, full leases: peak", full, func(u usage) float64 { return u.peak }, ""),
		row("bridge, nobody there: resident", fresh, func(u usage) float64 { return u.resident }, ""),
	}
	rows[0].Aim = report.AtMost(residentAim)
	return rows, nil
}

func row(name string, of []usage, pick func(usage) float64, note string) report.Row {
	var s stats.Sample
	for _, u := range of {
		s = append(s, pick(u)/1024)
	}
	return report.Row{Name: name, Value: s.Median(), Unit: "MiB", Spread: s.Spread(), Note: note}
}

// once is one process from its start to its end.
func once(ctx context.Context, program string) (fresh, full usage, err error) {
	if program == "" {
		return fresh, full, errors.New("name the built prompt64 program with -bridge")
	}
	c, err := start(ctx, program, nil, "-provider", "demo")
	if err != nil {
		return fresh, full, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	if fresh, err = usageOf(c.cmd.Process.Pid); err != nil {
		return fresh, full, err
	}
	var leases []kept
	for range frames.MaxDetachedLeases {
		client, k, err := talk(c.addr)
		if err != nil {
			return fresh, full, err
		}
		_ = client.Close()
		leases = append(leases, k)
	}
	attached, _, err := talk(c.addr)
	if err != nil {
		return fresh, full, err
	}
	defer attached.Close()
	time.Sleep(settling)
	if full, err = usageOf(c.cmd.Process.Pid); err != nil {
		return fresh, full, err
	}
	for i, k := range leases {
		if err := k.check(c.addr); err != nil {
			return fresh, full, fmt.Errorf("lease %d: %w", i+1, err)
		}
	}
	return fresh, full, nil
}
