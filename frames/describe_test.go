package frames

import (
	"bytes"
	"strings"
	"testing"
)

func TestDescribeShowsEveryField(t *testing.T) {
	row := ChangeRow{'M', 3, 1, []byte("a.txt")}.AppendTo(nil)
	for _, c := range []struct {
		m    Message
		want string
	}{
		{Hello{}, "Hello"},
		{AssistantDelta{7, []byte("a \"b\"\\\n\xDD")}, `AssistantDelta seq=7 text="a \"b\"\\\n{5D}"`},
		{ApprovalDecision{Decline, true, 9}, "ApprovalDecision decision=(decline) named=true request=9"},
		{LeaseState{sampleToken, 120}, "LeaseState token=(0001..) lifetime=120"},
		{Pair{[8]byte([]byte("ABCDEFGH"))}, "Pair code=(hidden)"},
		{HelloOk{2, 0, CapLease | CapPairing | 1<<15}, "HelloOk major=2 minor=0 capabilities=(lease, pairing, 15)"},
		{DashboardEntry{TabChanges, 4, row}, `DashboardEntry tab=(changes) row=4 data=M +3 -1 "a.txt"`},
		{DashboardEntry{TabActivity, 0, []byte("\x02make")}, `DashboardEntry tab=(activity) row=0 data=(failed) "make"`},
		{DashboardEntry{TabStatus, 0, []byte("TURN: idle")}, `DashboardEntry tab=(status) row=0 data="TURN: idle"`},
		{WorkspaceEntry{true, 1, []byte("src")}, `WorkspaceEntry git=true index=1 name="src"`},
	} {
		if got := Describe(split(t, c.m.AppendTo(nil))); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

func TestDescribeSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		f    Frame
		want string
	}{
		{Frame{0x47, 0x45, []byte("P/1")}, "Type(0x47) BAD (framing: TYPE $47 UNKNOWN) flags=$45 payload=[50 2F 31]"},
		{Frame{TypeAccessSet, 0, []byte{3}}, "AccessSet BAD (value: ACCESS 3 UNKNOWN) flags=$00 payload=[03]"},
		{Frame{TypeTurnCancel, 0x82, nil}, "TurnCancel unknown flags=$82"},
	} {
		if got := Describe(c.f); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
	if got := Describe(Frame{TypeUserText, 0, make([]byte, 60000)}); len(got) > 250 || !strings.HasSuffix(got, "and 59968 more") {
		t.Error(got)
	}
}

func TestDirectionOfAStreamIsGuessed(t *testing.T) {
	for _, d := range []Direction{ToBridge, ToC64} {
		b := allFrames(d)
		for _, cut := range []int{len(b), len(b) - 1, len(b) / 2} {
			if got := GuessDirection(b[:cut]); got != d {
				t.Errorf("%v taken for %v", d, got)
			}
		}
	}
	if GuessDirection(nil) != ToC64 || GuessDirection([]byte("GET / HTTP/1.1")) != ToC64 {
		t.Error("garbage has a direction")
	}
}

func TestNamesOfValuesBeyondTheProtocolAreNumbers(t *testing.T) {
	for _, got := range []string{
		Decision(9).String(), ApprovalKind(9).String(), Lifecycle(9).String(), Reasoning(9).String(),
		Access(9).String(), Speaker(9).String(), Tab(9).String(), LineKind(9).String(),
	} {
		if got != "9" {
			t.Error(got)
		}
	}
	if ToBridge.String() == ToC64.String() || Type(0).String() != "Type(0x00)" {
		t.Error("directions or types share a name")
	}
}

func oneLine(t *testing.T, s string) {
	t.Helper()
	if s == "" || bytes.ContainsFunc([]byte(s), func(r rune) bool { return r < 0x20 || r > 0x7E }) {
		t.Errorf("not one printable line: %q", s)
	}
}
