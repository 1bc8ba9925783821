package main_test

import (
	"testing"
	"time"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// A frame may come in pieces that end anywhere: in its header, its sequence, its
// text, or with its last byte alone.
func TestFramesInPiecesOfEverySizeAreWhole(t *testing.T) {
	t.Parallel()
	const answer = "/stream 200" // frames of the largest size
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	var prompts []string
	for size := 1; size <= frames.MaxFrameToC64; size++ {
		c.M.UCI().Fragment(size, 2*time.Millisecond)
		c.Ask(answer)
		prompts = append(prompts, answer)
	}
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(prompts...))
	sameText(t, c.Paper.Said(), want)
	if n := c.Dials.Load(); n != 1 {
		t.Errorf("the line was opened %d times", n)
	}
}

// command plays a bridge whose agent asks for a command in the workspace's folder.
func command(w *stage.Wire) {
	w.Expect(frames.TypeHello)
	w.Send(frames.HelloOk{Major: 2, Capabilities: frames.CapLease | frames.CapHeartbeat | frames.CapApprovals | frames.CapApprovalDetail})
	w.Expect(frames.TypeLeaseGet)
	w.Send(frames.LeaseState{Token: frames.Token{1}, Lifetime: frames.LeaseSeconds})
	w.Expect(frames.TypeUserText)
	w.Send(frames.ApprovalRequest{Seq: 1, Kind: frames.KindCommand, Summary: []byte("Run the new test")})
	w.Expect(frames.TypeApprovalDetailGet)
	for _, line := range []string{"go test ./frames/ -run TestNewer -count=1 -race", "", "in: repo"} {
		w.Send(frames.ApprovalDetailLine{Start: true, Request: 1, Text: []byte(line)})
	}
	w.Send(frames.ApprovalDetailDone{Request: 1})
	w.Expect(frames.TypeApprovalDecision)
}

func TestCommandThatIsAskedForLooksAsItShould(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		c := stage.Boot(t, stage.Impostor(t, command), m)
		c.Strike("RETURN")
		c.Settled()
		c.Keys("test it\n")
		c.Asked()
		c.Portray("approval_command")
	})
}
