// Package framestest is what tests of the protocol need: golden vectors that other
// languages can read, a scripted C64, and a net.Conn that misbehaves.
//
// It is for tests and tools. Client is no C64: it has no screen, no UCI and no
// 6502, it keeps everything it was ever sent, and its waits are generous. What it
// does promise is the C64 program's side of the link: the order of the greeting,
// a frame applied at once or not at all, frames that are not newer dropped, and an
// open prompt, decision, cancel or release settled after a reconnect exactly as
// the protocol says. It also watches the bridge: whatever the bridge must never do
// is noted as a violation (see Client.Violations).
//
// A test of a turn across cuts reads:
//
//	c := framestest.New(framestest.Config{Dial: dial, Retry: time.Millisecond})
//	defer c.Close()
//	err := c.Connect(ctx)               // Hello, Pair, LeaseGet, the user's settings
//	err = c.Prompt("/write a.txt hi")
//	a, err := c.WaitApproval(ctx)
//	c.Cut()                             // reconnects by itself, since Retry is set
//	err = c.Decide(a, frames.AcceptOnce)
//	end, err := c.WaitEnd(ctx)
//	got := c.Transcript()               // comparable, the same with and without cuts
//
// With Retry zero nothing reconnects by itself: the test calls Reconnect, and a
// wait that can no longer succeed fails with ErrLinkLost.
package framestest
