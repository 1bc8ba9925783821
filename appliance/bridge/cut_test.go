package bridge

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// theatre is a stack on which scenarios are played, each in a workspace of its
// own.
type theatre struct {
	*stack
	plays atomic.Int64
	limit time.Duration // of a scenario, beyond patience
}

// openTheatre starts a stack whose times are short enough for black holes. A C64
// that is quiet counts as stale almost at once: between real ones that takes six
// seconds.
func openTheatre(t *testing.T) *theatre {
	t.Helper()
	tune := patient()
	tune.stale, tune.watch = 10*time.Millisecond, 5*time.Millisecond
	return &theatre{stack: startStack(t, tune, NewPairing(rightCode, nil))}
}

type dialer func(context.Context) (net.Conn, error)

func (th *theatre) dialTCP(ctx context.Context) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "tcp", th.addr)
}

// play runs a scenario over dial and returns its story.
func (th *theatre) play(t *testing.T, scenario string, dial dialer) string {
	t.Helper()
	return th.playAs(t, scenario, framestest.Config{
		Dial:      dial,
		Retry:     time.Millisecond,
		Quiet:     15 * time.Millisecond,
		Idle:      15 * time.Millisecond,
		Ack:       60 * time.Millisecond,
		Handshake: 100 * time.Millisecond,
	})
}

// playAs runs a scenario with a C64 that has its own times.
func (th *theatre) playAs(t *testing.T, scenario string, cfg framestest.Config) string {
	t.Helper()
	name := fmt.Sprintf("ws%d", th.plays.Add(1))
	dir := filepath.Join(th.root, th.folder(t, name))
	th.folder(t, filepath.Join(name, "sub"))
	defer os.RemoveAll(dir)
	if scenario == "changes" {
		th.repository(t, "repository")
	}
	ctx, cancel := context.WithTimeout(t.Context(), max(th.limit, patience))
	defer cancel()
	prefs := framestest.DefaultPrefs()
	prefs.Workspace = name
	cfg.Code, cfg.Prefs = rightCode, prefs
	c := framestest.New(cfg)
	defer c.Close()
	s := &scene{ctx: ctx, c: c, dir: dir}
	err := s.connect()
	if err == nil {
		err = scenarios[scenario](s)
	}
	if err != nil {
		t.Fatalf("%s: %v; so far:\n%s", scenario, err, s.story())
	}
	if v := c.Violations(); len(v) > 0 {
		t.Errorf("%s: the bridge broke the protocol: %q", scenario, v)
	}
	return s.story()
}

// playCut plays a scenario with one cut and reports whether the frame was long
// enough for it. On a busy machine the C64's heartbeats, which are quick here, may
// give the line up around the very frame; the cut found nothing to cut then, and
// the scenario is played again.
func (th *theatre) playCut(t *testing.T, scenario, want string, at aim) (inside bool) {
	t.Helper()
	for range cutAttempts {
		cut := &cutter{aim: at}
		th.playOnce(t, scenario, want, cut)
		if fired, missed := cut.result(); fired || missed {
			return fired
		}
	}
	t.Fatalf("no whole %v travelled in %d plays of scenario %s", at.typ, cutAttempts, scenario)
	return false
}

// cutAttempts bounds how often a line may break by itself in the wrong place.
const cutAttempts = 20

// playOnce plays a scenario with one cut and compares the story.
func (th *theatre) playOnce(t *testing.T, scenario, want string, cut *cutter) {
	t.Helper()
	var lines []net.Conn
	got := th.play(t, scenario, func(ctx context.Context) (net.Conn, error) {
		nc, err := th.dialTCP(ctx)
		if err != nil {
			return nil, err
		}
		lines = append(lines, nc)
		return cut.wrap(nc), nil
	})
	for _, nc := range lines {
		_ = nc.Close()
	}
	if got != want {
		t.Errorf("cut by %s behind byte %d of %v: the story differs (-uncut +cut):\n%s",
			cut.mode, cut.k, cut.typ, cmp.Diff(want, got))
	}
}

func TestEveryFrameTypeTravelsInAScenario(t *testing.T) {
	for _, dir := range []frames.Direction{frames.ToBridge, frames.ToC64} {
		used := map[frames.Type]bool{}
		for _, types := range usedBy[dir] {
			for _, typ := range types {
				used[typ] = true
			}
		}
		for i := range 256 {
			if typ := frames.Type(i); typ.Allowed(dir) != used[typ] {
				t.Errorf("direction %d, %v: allowed %v, in a scenario %v", dir, typ, typ.Allowed(dir), used[typ])
			}
		}
	}
}

// A cut behind every byte of a frame of every type, in both directions, in three
// ways: the user sees and learns the same as without one. Each case has a bridge
// of its own, since the leases that others leave behind would make its own expire.
func TestCutBehindEveryByteOfEveryFrameTypeChangesNothing(t *testing.T) {
	for scenario := range scenarios {
		for _, dir := range []frames.Direction{frames.ToBridge, frames.ToC64} {
			for _, typ := range usedBy[dir][scenario] {
				for _, mode := range []cutMode{byClose, byReset, byHole} {
					t.Run(fmt.Sprintf("%v/%s/%s", typ, arrow(dir), mode), func(t *testing.T) {
						t.Parallel()
						cutEverywhere(t, scenario, aim{dir: dir, typ: typ, mode: mode})
					})
				}
			}
		}
	}
}

func arrow(d frames.Direction) string {
	if d == frames.ToBridge {
		return "to bridge"
	}
	return "to C64"
}

// cutEverywhere plays a scenario once without a cut, and then once for each byte
// of the frame that at names.
func cutEverywhere(t *testing.T, scenario string, at aim) {
	t.Helper()
	step := 1
	if testing.Short() {
		step = 7
	}
	th := openTheatre(t)
	want := th.play(t, scenario, th.dialTCP)
	for th.playCut(t, scenario, want, at) {
		at.k += step
	}
	if at.k == 0 {
		t.Error("no cut was made")
	}
}
