package lease

import (
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// bench is a lease with a turn, outside of any bubble.
func bench(b *testing.B) (*Table, *Attachment, *providertest.FakeSession) {
	agent := providertest.NewFake()
	table := NewTable(Config{Provider: agent, Workspaces: newFakeWorkspaces()})
	b.Cleanup(func() { _ = table.Close(b.Context()) })
	a, err := table.Get(&testLink{addr: "10.0.0.1"})
	if err != nil {
		b.Fatal(err)
	}
	next(b, a)
	begin(b, a)
	s, err := agent.AwaitSession(b.Context(), 1)
	if err != nil {
		b.Fatal(err)
	}
	started(s)
	return table, a, s
}

func begin(b *testing.B, a *Attachment) {
	if err := a.Request(frames.Frame{Type: frames.TypeUserText, Payload: []byte("go")}); err != nil {
		b.Fatal(err)
	}
}

func started(s *providertest.FakeSession) {
	for !s.Active() {
		time.Sleep(time.Millisecond)
	}
}

func next(b *testing.B, a *Attachment) []byte {
	f, err := a.Next(make([]byte, 0, frames.MaxFrameToC64))
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkEvent is the way of an event from the provider to the writer.
func BenchmarkEvent(b *testing.B) {
	_, a, s := bench(b)
	b.ReportAllocs()
	for n := 1; b.Loop(); n++ {
		s.Push(provider.ActivityEvent{ID: "1", Label: "go test"})
		next(b, a)
		if n%2000 == 0 { // before the turn is full
			b.StopTimer()
			s.End(provider.EndDone, "")
			next(b, a)
			begin(b, a)
			started(s)
			b.StartTimer()
		}
	}
}

// BenchmarkReplay is a reconnect that replays a full log.
func BenchmarkReplay(b *testing.B) {
	table, a, s := bench(b)
	flood(s, 50)
	s.End(provider.EndDone, "")
	for f := next(b, a); f[0] != byte(frames.TypeTurnDone); f = next(b, a) {
	}
	b.ReportAllocs()
	for b.Loop() {
		a.Detach()
		var err error
		if a, err = table.Reconnect(a.Token(), 0, a.link); err != nil {
			b.Fatal(err)
		}
		for f := next(b, a); f[0] != byte(frames.TypeReconnectDone); f = next(b, a) {
			b.SetBytes(frames.MaxRetained)
		}
	}
}
