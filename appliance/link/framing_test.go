package link

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// bitwiseFCS is the check straight from its definition.
func bitwiseFCS(b []byte) uint16 {
	sum := uint16(0xffff)
	for _, c := range b {
		sum ^= uint16(c)
		for range 8 {
			carry := sum & 1
			sum >>= 1
			if carry != 0 {
				sum ^= 0x8408
			}
		}
	}
	return ^sum
}

// The check value of the catalogue's CRC-16/X-25, which is this one.
func TestFCSIsTheRFCs(t *testing.T) {
	if got := ^fcs(fcsStart, []byte("123456789")); got != 0x906e {
		t.Errorf("%04X", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "bytes")
		sum := ^fcs(fcsStart, b)
		if want := bitwiseFCS(b); sum != want {
			t.Fatalf("%04X, want %04X", sum, want)
		}
		if got := fcs(fcsStart, append(b, byte(sum), byte(sum>>8))); got != fcsGood {
			t.Fatalf("with its check %04X", got)
		}
	})
}

// vectors are packets byte by byte, for programs in other languages.
var vectors = []struct {
	packet Packet
	wire   string
}{
	{Packet{Kind: Open, Nonce: 0x1234, Number: 1}, "7e0134120102b27e"},
	{Packet{Kind: Opened, Bridge: true, Nonce: 0x1234}, "7e823412c99d7e"},
	{Packet{Kind: Data, Nonce: 0x1234, Number: 0, Data: []byte("HI")}, "7e03341200484987af7e"},
	{Packet{Kind: Data, Bridge: true, Nonce: 0x7e7d, Number: 0x11, Data: []byte{0x7e, 0x7d, 0x11, 0x13, 0x20}}, "7e837d5d7d5e7d317d5e7d5d7d317d332056a47e"},
	{Packet{Kind: Ack, Bridge: true, Nonce: 0x1234, Number: 0x13}, "7e8434127d33a8c27e"},
	{Packet{Kind: Close, Nonce: 0x1234}, "7e053412201d7e"},
	{Packet{Kind: Busy, Bridge: true, Nonce: 0x1234}, "7e863412a8fe7e"},
	{Packet{Kind: Ping, Nonce: 0x1234}, "7e07341298a87e"},
	{Packet{Kind: Pong, Bridge: true, Nonce: 0x1234}, "7e883412b3ee7e"},
	{Packet{Kind: Wait, Nonce: 0x1234, Number: 0xff}, "7e093412ff2b497e"},
}

func TestVectorsOfEveryKind(t *testing.T) {
	for _, v := range vectors {
		if got := hex.EncodeToString(v.packet.AppendTo(nil)); got != v.wire {
			t.Errorf("%v: %q", v.packet.Kind, got)
		}
	}
}

// decode is all packets in b.
func decode(d *Decoder, b []byte) (out []Packet) {
	d.Feed(b, func(p Packet) {
		p.Data = append([]byte(nil), p.Data...)
		out = append(out, p)
	})
	return out
}

func drawPacket(t *rapid.T) Packet {
	p := Packet{
		Kind:   Kind(rapid.IntRange(int(Open), int(Wait)).Draw(t, "kind")),
		Bridge: rapid.Bool().Draw(t, "bridge"),
		Nonce:  rapid.Uint16().Draw(t, "nonce"),
	}
	if p.Kind.numbered() {
		p.Number = rapid.Byte().Draw(t, "number")
	}
	if p.Kind == Data {
		special := rapid.SampledFrom([]byte{flag, escape, xon, xoff, flag ^ flip, 0})
		p.Data = rapid.SliceOfN(rapid.OneOf(special, rapid.Byte()), 1, MaxData).Draw(t, "data")
	}
	return p
}

func TestPacketsAreReadBackHoweverTheyAreSliced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		packets := rapid.SliceOfN(rapid.Custom(drawPacket), 1, 6).Draw(t, "packets")
		var wire []byte
		for _, p := range packets {
			wire = p.AppendTo(wire)
		}
		if bytes.ContainsAny(wire, "\x11\x13") {
			t.Fatal("a byte of software flow control went out")
		}
		var got []Packet
		var d Decoder
		for len(wire) > 0 {
			n := rapid.IntRange(1, len(wire)).Draw(t, "slice")
			got = append(got, decode(&d, wire[:n])...)
			wire = wire[n:]
		}
		for i := range packets {
			packets[i].Data = append([]byte(nil), packets[i].Data...)
		}
		if diff := cmp.Diff(packets, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestNoDamageOfOneBytePassesTheCheck(t *testing.T) {
	p := Packet{Kind: Data, Nonce: 0x4711, Number: 7, Data: []byte("PRINT \"HELLO\"")}
	good := p.AppendTo(nil)
	for i := 1; i < len(good)-1; i++ {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			var d Decoder
			if got := decode(&d, bad); len(got) > 0 {
				t.Errorf("byte %d bit %d: %+v", i, bit, got)
			}
		}
		var d Decoder
		if got := decode(&d, append(bytes.Clone(good[:i]), good[i+1:]...)); len(got) > 0 {
			t.Errorf("without byte %d: %+v", i, got)
		}
	}
}

func TestNothingThatIsNoPacketIsOne(t *testing.T) {
	good := Packet{Kind: Ping, Nonce: 1}.AppendTo(nil)
	long := appendFrame(nil, append([]byte{byte(Data), 1, 0, 0}, make([]byte, MaxPacket)...))
	cases := map[string][]byte{
		"nothing between flags":    bytes.Repeat([]byte{flag}, 50),
		"the check of nothing":     appendFrame(nil, nil),
		"one byte":                 appendFrame(nil, []byte{byte(Ping)}),
		"no nonce":                 appendFrame(nil, []byte{byte(Ping), 1}),
		"kind 0":                   appendFrame(nil, []byte{0, 1, 0}),
		"an unknown kind":          appendFrame(nil, []byte{10, 1, 0}),
		"a field too many":         appendFrame(nil, []byte{byte(Ping), 1, 0, 0}),
		"a field missing":          appendFrame(nil, []byte{byte(Ack), 1, 0}),
		"no version":               appendFrame(nil, []byte{byte(Open), 1, 0}),
		"DATA without bytes":       appendFrame(nil, []byte{byte(Data), 1, 0, 0}),
		"DATA of 129":              appendFrame(nil, append([]byte{byte(Data), 1, 0, 0}, make([]byte, MaxData+1)...)),
		"longer than a packet":     long,
		"aborted by escape, flag":  append(bytes.Clone(good[:len(good)-1]), escape, flag),
		"half a packet, then flag": append(bytes.Clone(good[:4]), flag),
	}
	for name, wire := range cases {
		var d Decoder
		if got := decode(&d, wire); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if got := decode(&d, good); len(got) != 1 {
			t.Errorf("after %s a good packet was not seen", name)
		}
	}
}

func TestGarbageDoesNotHideWhatFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	good := Packet{Kind: Data, Nonce: 9, Data: []byte{1}}.AppendTo(nil)
	var d Decoder
	for range 2000 {
		garbage := make([]byte, r.IntN(400))
		for i := range garbage {
			garbage[i] = byte(r.Uint32())
		}
		got := decode(&d, append(garbage, good...))
		if len(got) != 1 || got[0].Nonce != 9 {
			// A check of 16 bits lets noise pass once in 65,536 times.
			t.Fatalf("%d packets after % x", len(got), garbage)
		}
	}
}

func TestFlowControlBytesPutInAreIgnored(t *testing.T) {
	var wire []byte
	for _, c := range (Packet{Kind: Ack, Nonce: 0x1234, Number: 0x11}).AppendTo(nil) {
		wire = append(wire, xoff, c, xon)
	}
	var d Decoder
	if got := decode(&d, wire); len(got) != 1 || got[0].Number != 0x11 {
		t.Errorf("%+v", got)
	}
}

func FuzzDecoder(f *testing.F) {
	for _, v := range vectors {
		f.Add(v.packet.AppendTo(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var d Decoder
		for _, p := range decode(&d, b) {
			var again Decoder
			if got := decode(&again, p.AppendTo(nil)); len(got) != 1 || !cmp.Equal(got[0], p) {
				t.Fatalf("%+v is read back as %+v", p, got)
			}
		}
	})
}
