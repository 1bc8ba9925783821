package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// script writes a script and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// call runs the command.
func call(args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

func TestScriptDecidesTheExitCode(t *testing.T) {
	png := filepath.Join(t.TempDir(), "last.png")
	code, out, errs := call("-bridge", "10.1.2.3:6464", "-png", png, "-script", script(t, "wait ready to connect\nexpect 10.1.2.3\ndump\n"))
	if code != 0 || !strings.Contains(out, "10.1.2.3") {
		t.Errorf("exit %d, %s %s", code, out, errs)
	}
	if b, err := os.ReadFile(png); err != nil || !strings.HasPrefix(string(b), "\x89PNG") {
		t.Errorf("picture: %v", err)
	}
	os.Remove(png)
	code, _, errs = call("-png", png, "-ntsc", "-firmware", "3.10", "-script", script(t, "wait something else 0.2\n"))
	if code != 1 || !strings.Contains(errs, "script line 1") || !strings.Contains(errs, "|") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if _, err := os.Stat(png); err != nil {
		t.Error("no picture of the failure: ", err)
	}
}

func TestBadCommandLinesEndInWords(t *testing.T) {
	ok := script(t, "run 0.1\n")
	labels := script(t, "no labels\n")
	for want, args := range map[string][]string{
		"no option":      {"start"},
		"not defined":    {"-frob"},
		"MHz":            {"-turbo", "0"},
		"host:port":      {"-bridge", "nowhere", "-script", ok},
		"65535":          {"-bridge", "a:99999", "-script", ok},
		"3.14":           {"-firmware", "1.0", "-script", ok},
		"no such file":   {"-script", "/nonexistent/script"},
		"open /nonexist": {"-prg", "/nonexistent/prg", "-script", ok},
		"SYS":            {"-prg", basicOnly(t), "-script", ok},
		"open /none":     {"-labels", "/none", "-script", ok},
		"labels: line 1": {"-labels", labels, "-script", ok},
		"it has 8":       {"-code", "lower case", "-bridge", "a:1", "-script", ok},
		"needs -bridge":  {"-code", "ABCD2345", "-script", ok},
		"P64CFG1":        {"-prg", basicOnly(t), "-bridge", "a:1", "-script", ok},
	} {
		code, _, errs := call(args...)
		if code != 1 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %q, want %q", args, code, errs, want)
		}
	}
}

// basicOnly is a PRG that has no SYS.
func basicOnly(t *testing.T) string {
	return script(t, "\x01\x08\x0b\x08\x0a\x00\x99\x22HI\x22\x00\x00\x00")
}

func TestHelpDescribesTheScript(t *testing.T) {
	code, _, errs := call("-h")
	if code != 0 || !strings.Contains(errs, "cutafter BYTES in|out KIND") || !strings.Contains(errs, "-bridge") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func TestProgramFromAFileRuns(t *testing.T) {
	// SEI, LDA #$35, STA 1, LDA #1, STA $0400, JMP *
	prg := script(t, "\x01\x08\x0b\x08\x0a\x00\x9e2061\x00\x00\x00\x78\xa9\x35\x85\x01\xa9\x01\x8d\x00\x04\x4c\x17\x08")
	code, out, errs := call("-prg", prg, "-seed", "7", "-turbo", "4", "-script", script(t, "run 0.1\npeek $400\n"))
	if code != 0 || out != "0400: 01\n" {
		t.Errorf("exit %d, %q %s", code, out, errs)
	}
}

func TestDialGoesElsewhereThanTheProgramShows(t *testing.T) {
	b := stage.Open(t, stage.BridgeOptions{})
	code, out, errs := call("-bridge", "10.1.2.3:6464", "-dial", b.Addr.String(),
		"-script", script(t, "wait \"RETURN connect\"\npress RETURN\nwait \"PROMPT64 demo\" 30\npress F3\nwait 10.1.2.3:6464\ndump\n"))
	if code != 0 || !strings.Contains(out, "ON LINE") {
		t.Errorf("exit %d, %s %s", code, out, errs)
	}
}
