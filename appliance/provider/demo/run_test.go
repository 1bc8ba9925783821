package demo

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestRunShowsTheWholeCommandThenRunsIt(t *testing.T) {
	r := newRig(t)
	got := r.ask(`/run printf "%s|" "a b" "" $HOME ;`)
	if len(got.asked) != 1 || got.asked[0].Kind != frames.KindCommand {
		t.Fatalf("asked %+v", got.asked)
	}
	shown := detail(got.asked[0])
	for _, want := range []string{
		` printf %s| "a b" "" $HOME ;` + "\n", `#argument 2: "a b"` + "\n", `#argument 3: ""` + "\n", r.workspace,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the detail lacks %q:\n%s", want, shown)
		}
	}
	// Without a shell, nothing of this is special.
	r.wantWords(got, "a b||$HOME|;|", "Exit code 0")
	for _, a := range got.activities {
		if !strings.HasPrefix(a.Label, "printf") {
			t.Errorf("the activity %+v does not name the command", a)
		}
	}
}

func TestRunWorksInTheWorkspaceWithoutSecrets(t *testing.T) {
	t.Setenv("PROMPT64_SECRET", "hunter2")
	r := newRig(t)
	got := r.free("/run sh -c 'pwd -P; env'")
	real, err := filepath.EvalSymlinks(r.workspace)
	if err != nil {
		t.Fatal(err)
	}
	r.wantWords(got, real+"\n", "PATH=")
	if strings.Contains(got.text, "hunter2") {
		t.Error("the command sees the bridge's environment")
	}
}

func TestRunTellsHowItEnded(t *testing.T) {
	r := newRig(t)
	for prompt, want := range map[string]string{
		"/run sh -c 'exit 7'":         "Exit code 7",
		"/run sh -c 'kill -TERM $$'":  "ended by a signal",
		"/run no-such-program-at-all": "no program",
		"/run ./missing":              "no such file",
	} {
		got := r.free(prompt)
		r.wantWords(got, want)
		if last := got.activities[len(got.activities)-1]; last.Lifecycle != frames.ActivityFailed {
			t.Errorf("%s: the activity ended as %+v", prompt, last)
		}
	}
}

func TestOutputIsBoundedAndTheRestIsCounted(t *testing.T) {
	r := newRig(t)
	got := r.free("/run head -c 1000000 /dev/zero")
	r.wantWords(got, "more bytes are not shown", "Exit code 0")
	if len(got.text) > maxOutput+200 {
		t.Errorf("%d bytes were shown", len(got.text))
	}
}

func TestOutputIsWholeCharactersInABlock(t *testing.T) {
	var said bytes.Buffer
	var pieces []string
	out := &output{say: func(text string) error {
		pieces = append(pieces, text)
		said.WriteString(text)
		return nil
	}}
	for _, b := range []byte("caf\u00e9 \xff \U0001F600 \xf0\x9f") {
		if err := out.write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	// Half a character at the end is one mark.
	if want := fence + "caf\u00e9 \uFFFD \U0001F600 \uFFFD\n" + fence; said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
	for _, p := range pieces {
		if !utf8.ValidString(p) {
			t.Errorf("a piece is %q", p)
		}
	}
}

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// wantDead waits for the processes whose IDs a command wrote to end.
func wantDead(t *testing.T, pids string) {
	t.Helper()
	fields := strings.Fields(pids)
	if len(fields) == 0 {
		t.Fatal("the command wrote no process ID")
	}
	for _, f := range fields {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); alive(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("process %d is alive", pid)
				break
			}
		}
	}
}

func TestCancelEndsTheCommandAndItsChildren(t *testing.T) {
	for name, script := range map[string]string{
		"willing":  "sleep 600 & echo $$ $! > pids; echo ready; wait",
		"stubborn": "trap : TERM; (trap : TERM; while :; do sleep 1; done) & echo $$ $! > pids; echo ready; while :; do sleep 1; done",
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			if err := r.s.Start(t.Context(), "/run sh -c '"+script+"'", provider.TurnOptions{Access: frames.AccessAutoReview}); err != nil {
				t.Fatal(err)
			}
			for ev := range r.s.Events() {
				if e, ok := ev.(provider.TextEvent); ok && strings.Contains(e.Text, "ready") {
					if err := r.s.Cancel(t.Context()); err != nil {
						t.Error(err)
					}
				}
				if e, ok := ev.(provider.EndEvent); ok {
					if e.End != provider.EndCancelled {
						t.Errorf("the end is %+v", e)
					}
					break
				}
			}
			wantDead(t, r.file("pids"))
		})
	}
}

func TestCommandLeavesNoChildBehind(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.free("/run sh -c 'sleep 600 & echo $! > pids; echo done'"), "done", "Exit code 0")
	wantDead(t, r.file("pids"))
}
