package bridge

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames"
)

func hello() []byte { return frames.Hello{}.AppendTo(nil) }

func TestAnythingButTheGreetingIsToldTheVersion(t *testing.T) {
	h := start(t, patient(), open(), nil)
	for name, bytes := range map[string][]byte{
		"HTTP":               []byte("GET / HTTP/1.1\r\nHost: c64\r\n\r\n"),
		"one wrong byte":     []byte("G"),
		"TLS":                {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03},
		"SSH":                []byte("SSH-2.0-OpenSSH_9.9\r\n"),
		"zeros":              make([]byte, 64),
		"older greeting":     frames.AppendFrame(nil, frames.TypeHello, 0, []byte("PROMPT64/1")),
		"lower case":         frames.AppendFrame(nil, frames.TypeHello, 0, []byte("prompt64/2")),
		"greeting with more": frames.AppendFrame(nil, frames.TypeHello, 0, []byte("PROMPT64/2 ")),
		"short greeting":     frames.AppendFrame(nil, frames.TypeHello, 0, []byte("PROMPT64/")),
		"empty greeting":     frames.AppendFrame(nil, frames.TypeHello, 0, nil),
		"another frame":      frames.LeaseGet{}.AppendTo(nil),
		"oversized length":   {0x01, 0x00, 0xff, 0xff},
		"length 768":         {0x01, 0x00, 0x00, 0x03},
	} {
		t.Run(name, func(t *testing.T) {
			p := h.dial(t)
			if _, err := p.Write(bytes); err != nil {
				t.Fatal(err)
			}
			p.refused("PROMPT64/2 REQUIRED")
		})
	}
}

func TestGreetingMayComeInPiecesAndWithUnknownFlags(t *testing.T) {
	h := start(t, patient(), open(), nil)
	p := h.dial(t)
	greeting := hello()
	greeting[1] = 0xA5
	for i := range greeting {
		if _, err := p.Write(greeting[i : i+1]); err != nil {
			t.Fatal(err)
		}
	}
	p.expect(frames.HelloOk{Major: 2, Minor: 0, Capabilities: 0x0FFF})
}

func TestGreetingCutAnywhereLeavesNothingBehind(t *testing.T) {
	h := start(t, patient(), open(), nil)
	for n := range len(hello()) {
		p := h.dial(t)
		if _, err := p.Write(hello()[:n]); err != nil {
			t.Fatal(err)
		}
		_ = p.Close()
	}
	eventually(t, "all cut greetings are forgotten", func() bool { return h.State() == State{} })
	h.dial(t).greet()
}

func TestWordsArriveAlthoughThePeerKeepsSending(t *testing.T) {
	h := start(t, patient(), open(), nil)
	p := h.dial(t)
	if _, err := p.Write(bytes.Repeat([]byte("garbage "), 16<<10)); err != nil {
		t.Fatal(err)
	}
	p.expect(frames.Error{Text: []byte(frames.ErrorVersion)})
	// The bridge still reads, so that nothing resets the connection.
	if _, err := p.Write([]byte("more")); err != nil {
		t.Fatal(err)
	}
	p.expectEnd()
}

func TestLingeringEndsByItself(t *testing.T) {
	tune := patient()
	tune.linger = quick().linger
	h := start(t, tune, open(), nil)
	p := h.dial(t)
	if _, err := p.Write([]byte("?")); err != nil {
		t.Fatal(err)
	}
	p.refused(frames.ErrorVersion)
	eventually(t, "the bridge closes though the peer does not", func() bool { return h.State() == State{} })
}

func TestSlowLorisIsClosed(t *testing.T) {
	h := start(t, quick(), open(), nil)
	for name, drip := range map[string][]byte{
		"greeting":   hello(),
		"nothing":    nil,
		"heartbeats": append(hello(), bytes.Repeat(frames.Heartbeat{}.AppendTo(nil), 1<<10)...),
		"half frame": append(hello(), frames.AppendFrame(nil, frames.TypePair, 0, make([]byte, 8))[:9]...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := h.dial(t)
			go func() {
				for i := range drip {
					if _, err := p.Write(drip[i : i+1]); err != nil {
						return
					}
					time.Sleep(h.tuning.handshake / 8)
				}
			}()
			p.gone()
		})
	}
}

func TestOnlyPairingLeasesAndHeartbeatsComeBeforeALease(t *testing.T) {
	h := start(t, patient(), open(), nil)
	for _, m := range []frames.Message{
		frames.Hello{}, frames.SessionRelease{}, frames.UserText{Text: []byte("hi")}, frames.TurnCancel{},
		frames.ApprovalDecision{}, frames.SettingsGet{}, frames.SettingsSet{}, frames.WorkspaceSet{},
		frames.SessionListGet{}, frames.SessionSelect{}, frames.AccessSet{}, frames.HistoryGet{},
		frames.DashboardGet{}, frames.ActionGet{}, frames.DiffGet{}, frames.ApprovalDetailGet{}, frames.WorkspaceListGet{},
	} {
		t.Run(m.Type().String(), func(t *testing.T) {
			p := h.dial(t)
			p.greet()
			p.send(frames.Heartbeat{})
			p.expect(frames.HeartbeatAck{})
			p.send(m)
			words := p.words()
			if !strings.HasSuffix(words, " BEFORE A LEASE") {
				t.Errorf("words %q", words)
			}
			if m.Type() == frames.TypeUserText && !strings.HasPrefix(words, "PROMPT") {
				t.Errorf("a refused prompt says %q", words)
			}
			p.expectEnd()
		})
	}
}

// words reads one Error frame.
func (p *peer) words() string {
	p.t.Helper()
	f, err := p.frames.Next()
	if err != nil || f.Type != frames.TypeError {
		p.t.Fatalf("got %v, %v; want an Error", f.Type, err)
	}
	return string(f.Payload)
}

func TestFramingFaultIsNamedAndEndsTheConnection(t *testing.T) {
	h := start(t, patient(), open(), nil)
	for name, frame := range map[string][]byte{
		"unknown type":     {0x99, 0, 0, 0},
		"bridge's type":    frames.TurnDone{}.AppendTo(nil),
		"oversized":        {byte(frames.TypeUserText), 0, 0x01, 0x03},
		"hugely oversized": {byte(frames.TypeUserText), 0, 0xff, 0xff},
		"short reconnect":  frames.AppendFrame(nil, frames.TypeReconnect, 0, make([]byte, 17)),
		"surplus":          frames.AppendFrame(nil, frames.TypeLeaseGet, 0, make([]byte, 1)),
		"short code":       frames.AppendFrame(nil, frames.TypePair, 0, make([]byte, 7)),
	} {
		t.Run(name, func(t *testing.T) {
			p := h.dial(t)
			p.greet()
			if _, err := p.Write(frame); err != nil {
				t.Fatal(err)
			}
			if words := p.words(); words == "" {
				t.Error("no words")
			}
			p.expectEnd()
		})
	}
}
