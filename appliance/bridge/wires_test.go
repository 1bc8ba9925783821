package bridge

import (
	"context"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/frames/framestest"
)

// lineBaud is the serial lines' speed.
const lineBaud = 38400

// harsh is a line on which every third full packet is damaged.
var harsh = linktest.Faults{Flip: 0.001, Lose: 0.001, Double: 0.001, Insert: 0.001}

// lines are serial lines, each with what it does to those who talk over it. What
// comes and goes does so until stop is closed, and is over then.
var lines = map[string]func(l *linktest.Line, stop <-chan struct{}){
	"clean":              func(*linktest.Line, <-chan struct{}) {},
	"damaged bytes":      func(l *linktest.Line, _ <-chan struct{}) { l.Fault(harsh) },
	"echo":               func(l *linktest.Line, _ <-chan struct{}) { l.Echo(true) },
	"half its rate":      func(l *linktest.Line, _ <-chan struct{}) { l.Slow(2) },
	"a C64 that scrolls": inTurns(200*time.Millisecond, 50*time.Millisecond, (*linktest.Line).Hold),
	"a cut":              inTurns(2*time.Second, 8*time.Second, (*linktest.Line).Cut),
	"a speed of its own at times": inTurns(2*time.Second, 5*time.Second, func(l *linktest.Line, wrong bool) {
		l.C64Baud(lineBaud)
		if wrong {
			l.C64Baud(lineBaud / 2)
		}
	}),
	"pulled out and put back": inTurns(time.Second, 8*time.Second, func(l *linktest.Line, out bool) {
		if out {
			l.Unplug(false)
		} else {
			l.Plug("/dev/ttyUSB1", "P64-1")
		}
	}),
}

// inTurns does something to a line after a moment, undoes it, and so on.
func inTurns(bad, good time.Duration, do func(l *linktest.Line, bad bool)) func(*linktest.Line, <-chan struct{}) {
	return func(l *linktest.Line, stop <-chan struct{}) {
		for pause := 100 * time.Millisecond; ; pause = good {
			if over(stop, pause) {
				return
			}
			do(l, true)
			ended := over(stop, bad)
			do(l, false)
			if ended {
				return
			}
		}
	}
}

// over waits, and reports whether stop was closed meanwhile.
func over(stop <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-stop:
		return true
	case <-timer.C:
		return false
	}
}

// serveLine serves C64s on a serial line.
func serveLine(t *testing.T, cfg link.Config) *theatre {
	t.Helper()
	th := &theatre{stack: openStack(t)}
	l, err := link.Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(Config{Leases: th.leases}, defaultTuning())
	served := make(chan error, 1)
	go func() { served <- server.ServePaired(t.Context(), l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		<-l.Done()
	})
	return th
}

// One suite for all: what a user sees and learns in each scenario over TCP is what
// one sees over a serial line, whatever that does. A test of its own plays them on
// bad TCP, and another on a terminal with faults.
func TestEveryScenarioIsTheSameOverASerialLine(t *testing.T) {
	seed := framestest.Seed(t)
	want := storiesOverTCP(t)
	for name, misbehave := range lines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, scenario := range sortedScenarios() {
				t.Run(scenario, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						if got := playOverLine(t, scenario, seed, misbehave); got != want[scenario] {
							t.Errorf("the story differs (-TCP +serial):\n%s", cmp.Diff(want[scenario], got))
						}
					})
				})
			}
		})
	}
}

func playOverLine(t *testing.T, scenario string, seed uint64, misbehave func(*linktest.Line, <-chan struct{})) string {
	t.Helper()
	line := linktest.NewLine(lineBaud, seed)
	th := serveLine(t, line.Config())
	th.limit = time.Hour // of the bubble: a harsh line has bad minutes
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		misbehave(line, stop)
	}()
	var ends []*linktest.C64
	defer func() {
		close(stop)
		<-stopped
		for _, c := range ends {
			c.SwitchOff()
			<-c.Ended()
		}
	}()
	return th.playAs(t, scenario, framestest.Config{Retry: time.Second, Dial: func(ctx context.Context) (net.Conn, error) {
		c, err := linktest.Dial(ctx, line.C64(), linktest.Config{Baud: lineBaud})
		if err == nil {
			ends = append(ends, c)
		}
		return c, err
	}})
}

// storiesOverTCP are what the scenarios tell over TCP.
func storiesOverTCP(t *testing.T) map[string]string {
	t.Helper()
	th := openTheatre(t)
	want := map[string]string{}
	for _, scenario := range sortedScenarios() {
		want[scenario] = th.play(t, scenario, th.dialTCP)
	}
	return want
}

func sortedScenarios() []string {
	var names []string
	for name := range scenarios {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
