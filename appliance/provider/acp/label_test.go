package acp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// call makes a tool call of the workspace /w from its JSON.
func call(t *testing.T, raw string) *toolCall {
	t.Helper()
	c := &toolCall{workspace: "/w"}
	if err := json.Unmarshal([]byte(raw), &c.toolFields); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLabelsNameWhatAUserWould(t *testing.T) {
	for raw, label := range map[string]string{
		`{"kind":"execute","title":"bash","rawInput":{"command":"make all"}}`:                              "make all",
		`{"kind":"execute","title":"x","rawInput":{"command":["/bin/bash","-lc","ls | wc"]}}`:              "ls | wc",
		`{"kind":"execute","title":"x","rawInput":{"command":["git","commit","-m","two words"]}}`:          "git commit -m 'two words'",
		`{"kind":"execute","title":"x","rawInput":{"command":"/bin/bash -lc 'ls -l'"}}`:                    "ls -l",
		`{"kind":"execute","title":"x","rawInput":{"command":"bash -c 'a' && bash -c 'b'"}}`:               "bash -c 'a' && bash -c 'b'",
		`{"title":"exec_command","rawInput":{"cmd":"echo 1\necho 2"}}`:                                     "echo 1 echo 2",
		`{"kind":"edit","title":"write","locations":[{"path":"/w/a/b.bas"}]}`:                              "Edit a/b.bas",
		`{"kind":"edit","title":"t","locations":[{"path":"/w/a"}],"content":[{"type":"diff","path":"a"}]}`: "Edit a",
		`{"kind":"delete","title":"t","rawInput":{"file_path":"/etc/motd"}}`:                               "Delete /etc/motd",
		`{"kind":"read","title":"t","rawInput":{"absolute_path":"/w/../w2/x"}}`:                            "Read /w2/x",
		`{"kind":"fetch","title":"t","rawInput":{"url":"http://c64.example"}}`:                             "Fetch http://c64.example",
		`{"kind":"search","title":"Search for 'x' in /w/src"}`:                                             "Search for 'x' in src",
		`{"kind":"other","title":"Ask\u001b[31m the\u0000 oracle"}`:                                        "Ask[31m the oracle",
		`{"kind":"move"}`: "Move",
		`{}`:              "A tool",
	} {
		if got := call(t, raw).label(); got != label {
			t.Errorf("%s: %q, want %q", raw, got, label)
		}
	}
}

// lines shows a detail with a mark before each line.
func lines(detail []provider.DetailLine) string {
	var b strings.Builder
	for _, l := range detail {
		b.WriteString(string(" +-@"[l.Kind]) + l.Text + "\n")
	}
	return b.String()
}

func TestDetailShowsEverythingThatADecisionIsAbout(t *testing.T) {
	for raw, detail := range map[string]string{
		`{"kind":"execute","rawInput":{"command":"a\nb","cwd":"/w/sub","reason":"because"}}`:                  " a\n b\n@because\n@in sub\n",
		`{"kind":"edit","content":[{"type":"diff","path":"/w/a","oldText":"1\n2\n","newText":"1\n3\n"}]}`:     "@a\n 1\n-2\n+3\n",
		`{"kind":"edit","rawInput":{"file_path":"/w/a","content":"1\r\n2"}}`:                                  "@a\n+1\n+2\n",
		`{"kind":"edit","rawInput":{"file_path":"/w/a","old_string":"1","new_string":"2"}}`:                   "@a\n-1\n+2\n",
		`{"kind":"other","title":"t","rawInput":{"poke":53280}}`:                                              " {\n   \"poke\": 53280\n }\n",
		`{"kind":"other","title":"t","content":[{"type":"content","content":{"type":"text","text":"x\ny"}}]}`: "@x\n@y\n",
		`{"kind":"other","title":"t"}`: " t\n",
	} {
		if got := lines(call(t, raw).detail()); got != detail {
			t.Errorf("%s:\n%swant\n%s", raw, got, detail)
		}
	}
}

func TestDiffFoldsWhatStaysFarFromAChange(t *testing.T) {
	var old, changed []string
	for i := range 40 {
		line := strings.Repeat("x", i)
		old = append(old, line)
		if i == 20 {
			line = "changed"
		}
		changed = append(changed, line)
	}
	before := strings.Join(old, "\n")
	got := diffLines(&before, strings.Join(changed, "\n"))
	if len(got) != 2+2*diffContext+2 || got[0] != (provider.DetailLine{Kind: frames.LineMetadata, Text: "..."}) {
		t.Errorf("the diff is\n%s", lines(got))
	}
}

func TestHugeDiffIsAllOldAndThenAllNew(t *testing.T) {
	before, after := strings.Repeat("old\n", 2000), strings.Repeat("new\n", 2000)
	got := diffLines(&before, after)
	if len(got) != 4000 || got[1999].Kind != frames.LineDeletion || got[2000].Kind != frames.LineAddition {
		t.Errorf("%d lines, %+v, %+v", len(got), got[1999], got[2000])
	}
}

func TestConfigurationIsRefusedWithWhatToDo(t *testing.T) {
	for words, cfg := range map[string]Config{
		"no data folder":   {Name: "qwen"},
		"one of opencode":  {Name: "nobody", DataDir: "x"},
		"is no name":       {Name: "../x", Argv: []string{"a"}, DataDir: "x"},
		"command is empty": {Name: "mine", Argv: []string{""}, DataDir: "x"},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", cfg, err, words)
		}
	}
	c := Config{Argv: []string{"/opt/bin/my-agent", "--acp"}, DataDir: "x"}
	if err := c.complete(); err != nil || c.Name != "my-agent" {
		t.Errorf("a command without a name: %q, %v", c.Name, err)
	}
}

func TestLinesAreBoundedAndTheRestIsFound(t *testing.T) {
	long := strings.Repeat("x", maxLine+5)
	r := newLineReader(strings.NewReader("one\r\n\n" + long + "\ntwo\nthree"))
	var got []string
	for {
		line, err := r.next()
		if err != nil && err != errLongLine {
			break
		}
		if err == errLongLine && len(line) != headLine {
			t.Errorf("%d bytes of a long line are kept", len(line))
		}
		got = append(got, string(line[:min(len(line), 5)]))
	}
	if strings.Join(got, ",") != "one,,xxxxx,two,three" {
		t.Errorf("the lines are %q", got)
	}
}
