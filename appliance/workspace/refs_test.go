package workspace

import (
	"errors"
	"strings"
	"testing"
)

func TestHeadIsFollowedAsGitDoes(t *testing.T) {
	one, two := strings.Repeat("1", 40), strings.Repeat("2", 64)
	for name, c := range map[string]struct {
		files map[string]string
		want  head
		err   error
	}{
		"detached":         {map[string]string{"HEAD": one + "\n"}, head{commit: one}, nil},
		"sha-256":          {map[string]string{"HEAD": two}, head{commit: two}, nil},
		"loose":            {map[string]string{"HEAD": "ref: refs/heads/a/b\n", "refs/heads/a/b": one}, head{"refs/heads/a/b", one}, nil},
		"without a space":  {map[string]string{"HEAD": "ref:refs/heads/a", "refs/heads/a": one}, head{"refs/heads/a", one}, nil},
		"packed":           {map[string]string{"HEAD": "ref: refs/heads/a", "packed-refs": "# pack-refs with: peeled\n" + two + " refs/heads/aa\n^" + one + "\n" + one + " refs/heads/a\n"}, head{"refs/heads/a", one}, nil},
		"loose wins":       {map[string]string{"HEAD": "ref: refs/heads/a", "refs/heads/a": one, "packed-refs": two + " refs/heads/a\n"}, head{"refs/heads/a", one}, nil},
		"unborn":           {map[string]string{"HEAD": "ref: refs/heads/a"}, head{ref: "refs/heads/a"}, nil},
		"folder of a name": {map[string]string{"HEAD": "ref: refs/heads/a", "refs/heads/a/b": one}, head{ref: "refs/heads/a"}, nil},
		"own to the tree":  {map[string]string{"HEAD": "ref: refs/bisect/a", "refs/bisect/a": one}, head{"refs/bisect/a", one}, nil},
		"symbolic":         {map[string]string{"HEAD": "ref: refs/heads/a", "refs/heads/a": "ref: refs/heads/b", "refs/heads/b": one}, head{"refs/heads/a", one}, nil},
		"circle":           {map[string]string{"HEAD": "ref: refs/heads/a", "refs/heads/a": "ref: refs/heads/a"}, head{}, ErrDamaged},
		"no ref":           {map[string]string{"HEAD": "ref: config"}, head{}, ErrDamaged},
		"dots":             {map[string]string{"HEAD": "ref: refs/heads/../../config"}, head{}, ErrDamaged},
		"short":            {map[string]string{"HEAD": "123"}, head{}, ErrDamaged},
		"not hexadecimal":  {map[string]string{"HEAD": strings.Repeat("x", 40)}, head{}, ErrDamaged},
		"empty":            {map[string]string{"HEAD": ""}, head{}, ErrDamaged},
		"endless":          {map[string]string{"HEAD": strings.Repeat("1", maxPointer+1)}, head{}, errTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t)
			for file, text := range c.files {
				g.write(".git/"+file, text)
			}
			h, err := g.root.head(&repository{dir: ".git", common: ".git"})
			if !errors.Is(err, c.err) || err == nil && h != c.want {
				t.Fatalf("%+v, %v, want %+v, %v", h, err, c.want, c.err)
			}
		})
	}
}

func TestOperationsAreNamed(t *testing.T) {
	h := head{ref: "refs/heads/main", commit: strings.Repeat("1", 40)}
	for file, want := range map[string]string{
		"MERGE_HEAD": "main (merging)", "CHERRY_PICK_HEAD": "main (cherry-picking)", "REVERT_HEAD": "main (reverting)",
		"BISECT_LOG": "main (bisecting)", "rebase-apply/x": "main (rebasing)", "other": "main",
	} {
		g := newGround(t)
		g.write(".git/"+file, "x\n")
		if got := g.root.branch(&repository{dir: ".git", common: ".git"}, h); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	g := newGround(t)
	g.write(".git/rebase-apply/head-name", "refs/heads/topic\n")
	if got := g.root.branch(&repository{dir: ".git"}, head{commit: h.commit}); got != "topic (rebasing)" {
		t.Errorf("rebase: %q", got)
	}
}

func TestOnlyHarmlessSettingsAreTakenOver(t *testing.T) {
	out := strings.Join([]string{
		"core.repositoryformatversion\n1", "core.filemode\nno", "core.symlinks\nFALSE", "core.ignorecase",
		"core.autocrlf\nInput", "core.eol\nLF", "core.fsmonitor\nevil", "core.hookspath\nevil", "core.editor\nevil\nmore",
		"extensions.objectformat\nSHA256", "extensions.noop\nx", "",
	}, "\x00")
	s, err := parseSettings([]byte(out))
	want := settings{sha256: true, ignoreCase: true, autoCRLF: "input", eol: "lf"}
	if err != nil || s != want {
		t.Fatalf("%+v, %v", s, err)
	}
	if config := s.config(); strings.Contains(config, "evil") || !strings.Contains(config, "objectformat = sha256") {
		t.Fatalf("config: %s", config)
	}
	for value, want := range map[string]string{"true": "true", "1": "true", "off": "false", "evil\n[x]": "false", "": "false"} {
		if s, _ := parseSettings([]byte("core.autocrlf\n" + value + "\x00")); s.autoCRLF != want {
			t.Errorf("autocrlf %q: %q", value, s.autoCRLF)
		}
	}
}

func TestNamedClassesHoldTheBytesOfTheirName(t *testing.T) {
	for name, want := range map[string]string{
		"alnum": "09azAZ", "alpha": "azAZ", "blank": " \t", "cntrl": "\x01\x7F", "digit": "09", "graph": "!~a0",
		"lower": "az", "print": " ~a", "punct": "!~", "space": " \t\n\r", "upper": "AZ", "xdigit": "09afAF",
	} {
		for _, c := range []byte("09afgzAFGZ !~\t\n\r\x01\x7F") {
			g, ok := compileGlob("[[:"+name+":]]", false)
			if !ok {
				t.Fatalf("%s is not known", name)
			}
			if strings.IndexByte(want, c) >= 0 && !g.match(string(c)) {
				t.Errorf("%q is not in %s", c, name)
			}
			no, _ := compileGlob("[![:"+name+":]]", false)
			if g.match(string(c)) == no.match(string(c)) {
				t.Errorf("%q is both in and out of %s", c, name)
			}
		}
	}
	for _, bad := range []string{"[[:none:]]", "[[:alpha:", "[a-", "[a\\", "[", "[!", "[]"} {
		if _, ok := compileGlob(bad, false); ok {
			t.Errorf("%q is taken", bad)
		}
	}
}
