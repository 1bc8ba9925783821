package protocolinc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

const (
	framesDir = "../.."
	included  = "../../../c64prg/src/protocol.inc"
)

func generate(t *testing.T) []byte {
	t.Helper()
	b, err := Generate(framesDir)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCommittedIncludeFileIsNotStale(t *testing.T) {
	have, err := os.ReadFile(included)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, generate(t)) {
		t.Error("c64prg/src/protocol.inc is stale: run go generate ./frames/... and commit it")
	}
}

func TestEveryKindOfConstantIsWritten(t *testing.T) {
	have := "\n" + string(generate(t))
	for _, want := range []string{
		"FRAME_HELLO_OK = $02", "FRAME_APPROVAL_DETAIL_LINE = $39", "FRAME_ERROR = $7F",
		"MAX_PAYLOAD_TO_C64 = 92", "MAX_DELTA_TEXT = 90", "CAP_NAMED_DECISION = $0800",
		"DECISION_ACCEPT_ONCE = 0", "DECISION_CANCEL_TURN = 3", "SESSION_NEW = $FF", "BINARY_FILE = $FFFF",
		"HEARTBEAT_QUIET_MS = 2000", "TAB_ACTIONS = 3", "ERROR_PROMPT_PREFIX_LEN = 6",
	} {
		if !strings.Contains(strings.Join(strings.Fields(have), " ")+" ", " "+want+" ") {
			t.Errorf("no %q", want)
		}
	}
	if !strings.Contains(have, "\n.define GREETING $50, $52, $4F, $4D, $50, $54, $36, $34, $2F, $32\n") {
		t.Error("no greeting")
	}
}

func TestSourceThatDoesNotCompileIsReported(t *testing.T) {
	dir := t.TempDir()
	for i, src := range []string{"package frames\nconst X = missing\n", "not Go"} {
		for _, name := range Sources {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Generate(dir); err == nil {
			t.Errorf("source %d passed", i)
		}
	}
	if _, err := Generate(filepath.Join(dir, "absent")); err == nil {
		t.Error("a missing folder passed")
	}
}

const (
	program = `.include "protocol.inc"
.include "protocol.inc"
.assert FRAME_USER_TEXT = $10, error, "type"
greeting: .byte GREETING
.assert * - greeting = GREETING_LEN, error, "length"
`
	linking = `MEMORY { M: start = 0, size = $100, file = %O; }
SEGMENTS { CODE: load = M, type = ro; }
`
)

// The file is included twice and assembled for the target whose character map
// would turn a string into PETSCII.
func TestIncludeFileAssemblesToTheBytesOfTheProtocol(t *testing.T) {
	for _, tool := range []string{"ca65", "ld65"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed; install Debian's cc65", tool)
		}
	}
	dir := t.TempDir()
	for name, b := range map[string]string{"protocol.inc": string(generate(t)), "a.s": program, "a.cfg": linking} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"ca65", "-t", "c64", "-o", "a.o", "a.s"}, {"ld65", "-C", "a.cfg", "-o", "a.bin", "a.o"}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if bin, err := os.ReadFile(filepath.Join(dir, "a.bin")); err != nil || string(bin) != frames.Greeting {
		t.Errorf("%q, %v", bin, err)
	}
}
