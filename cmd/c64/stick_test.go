package main_test

import (
	"slices"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// push holds the joystick in port 2 and lets it go.
func push(c *stage.C64, contacts ...machine.Joy) {
	for _, j := range contacts {
		c.M.Joystick(2, j)
		c.Let(80 * time.Millisecond)
		c.M.Joystick(2, 0)
		c.Let(80 * time.Millisecond)
	}
}

func TestStickChoosesAndFireAnswersAnApproval(t *testing.T) {
	t.Parallel()
	const left, right, up, down, fire = machine.JoyLeft, machine.JoyRight, machine.JoyUp, machine.JoyDown, machine.JoyFire
	for name, s := range map[string]struct {
		moves []machine.Joy
		want  []frames.Decision
		words string
	}{
		"fire":                           {[]machine.Joy{fire}, []frames.Decision{frames.AcceptOnce}, "Exit code 0."},
		"two to the right":               {[]machine.Joy{right, right, fire}, []frames.Decision{frames.Decline}, "You declined"},
		"one to the left":                {[]machine.Joy{left, fire}, []frames.Decision{frames.CancelTurn}, "cancelled"},
		"once around":                    {[]machine.Joy{right, right, right, right, fire}, []frames.Decision{frames.AcceptOnce}, "Exit code 0."},
		"back again":                     {[]machine.Joy{left, left, right, right, fire}, []frames.Decision{frames.AcceptOnce}, "Exit code 0."},
		"up and down choose nothing":     {[]machine.Joy{up, down, down, up, fire}, []frames.Decision{frames.AcceptOnce}, "Exit code 0."},
		"for the session":                {[]machine.Joy{right, fire, 0, 0, 0, fire}, []frames.Decision{frames.AcceptForSession}, "Exit code 0."},
		"for the session and taken back": {[]machine.Joy{right, fire, 0, 0, 0, right, right, fire}, []frames.Decision{frames.Decline}, "You declined"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{})
			c.Connect()
			c.Keys(runPrompt + "\n")
			c.Asked()
			push(c, s.moves...)
			c.WaitPaper(s.words, patience)
			c.Settled()
			if got := b.Decisions(); !slices.Equal(got, s.want) {
				t.Errorf("the agent got %v, want %v", got, s.want)
			}
		})
	}
}

// The contact of a worn button opens and closes several times: once is meant,
// and what is accepted for the whole session is asked for twice.
func TestFireThatBouncesIsOneAnswer(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Keys(runPrompt + "\n")
	c.Asked()
	push(c, machine.JoyRight)
	for range 3 {
		c.M.Joystick(2, machine.JoyFire)
		c.Let(20 * time.Millisecond)
		c.M.Joystick(2, 0)
		c.Let(20 * time.Millisecond)
	}
	c.Let(5 * time.Second)
	if got := b.Decisions(); len(got) != 0 {
		t.Fatalf("the agent got %v", got)
	}
	c.Wait("S again", time.Second)
	push(c, machine.JoyFire)
	c.Settled()
	if got := b.Decisions(); !slices.Equal(got, []frames.Decision{frames.AcceptForSession}) {
		t.Errorf("the agent got %v", got)
	}
}
