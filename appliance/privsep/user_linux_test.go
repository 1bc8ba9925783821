package privsep

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// output runs a line of shell as the user.
func output(t *testing.T, u *User, line string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = "/", &out, &out
	if err := u.Run(cmd); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return out.String()
}

func TestProgramHasNoRightAndNoWayToGainOne(t *testing.T) {
	u, _ := open(t, Options{})
	status := output(t, u, "cat /proc/self/status; echo HOME $HOME")
	for _, want := range []string{
		"Uid:\t65534\t65534\t65534\t65534\n", "Gid:\t65534\t65534\t65534\t65534\n", "Groups:\t \n",
		"CapInh:\t0000000000000000\n", "CapPrm:\t0000000000000000\n", "CapEff:\t0000000000000000\n",
		"CapBnd:\t0000000000000000\n", "CapAmb:\t0000000000000000\n", "NoNewPrivs:\t1\n", "HOME " + u.Home() + "\n",
	} {
		if !strings.Contains(status, want) {
			t.Errorf("no %q in\n%s", want, status)
		}
	}
}

// An agent's own sandbox is a user namespace, where it has rights again, but over
// nothing that it did not have.
func TestProgramCanStillMakeASandboxOfItsOwn(t *testing.T) {
	u, dir := open(t, Options{})
	secret(t, filepath.Join(dir, "secret"))
	if out, err := exec.Command("unshare", "-U", "true").CombinedOutput(); err != nil {
		t.Skipf("no user namespaces here: %v %s", err, out)
	}
	got := output(t, u, "unshare -Ur sh -c 'id -u; cat "+filepath.Join(dir, "secret")+" 2>&1; true'")
	if !strings.HasPrefix(got, "0\n") || !strings.Contains(got, "denied") {
		t.Errorf("%q", got)
	}
}

// What the thread gave up must not be missing elsewhere in the program.
func TestProgramThatStartsOthersKeepsItsOwnRights(t *testing.T) {
	u, dir := open(t, Options{})
	before, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	secret(t, filepath.Join(dir, "secret"))
	for range 50 {
		output(t, u, "true")
		if err := u.Do(func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		if _, err := os.ReadFile(filepath.Join(dir, "secret")); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("cat", "/proc/self/status").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"CapBnd:", "CapEff:", "Uid:", "NoNewPrivs:"} {
			if want := line(before, field); !bytes.Equal(line(out, field), want) {
				t.Fatalf("%s, not %s", line(out, field), want)
			}
		}
	}
}

func line(text []byte, field string) []byte {
	_, rest, _ := bytes.Cut(text, []byte(field))
	rest, _, _ = bytes.Cut(rest, []byte("\n"))
	return rest
}

func TestWorkOnTheUsersFilesHasTheUsersRights(t *testing.T) {
	u, dir := open(t, Options{})
	mine := filepath.Join(dir, "secret")
	secret(t, mine)
	link := filepath.Join(u.Home(), "link")
	err := u.Do(func() error {
		if err := os.Symlink(mine, link); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(u.Home(), "made"), []byte("by the bridge"), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := output(t, u, "cat ~/made"); text != "by the bridge" {
		t.Errorf("the user reads %q of what was made for it", text)
	}
	for what, do := range map[string]func() error{
		"read through its link":  func() error { _, err := os.ReadFile(link); return err },
		"write through its link": func() error { return os.WriteFile(link, nil, 0o600) },
		"remove of root's":       func() error { return os.Remove(mine) },
		"link to root's":         func() error { return os.Link(mine, filepath.Join(u.Home(), "hard")) },
		"give away":              func() error { return os.Chown(filepath.Join(u.Home(), "made"), 0, 0) },
	} {
		if err := u.Do(do); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Nobody but root may look into, or end, the thread that does the user's work.
func TestThreadOfTheBridgeIsOutOfTheUsersReach(t *testing.T) {
	u, _ := open(t, Options{})
	err := u.Do(func() error {
		out, err := exec.Command("sh", "-c", "true").CombinedOutput() // another process of ours still works
		if err != nil {
			return errors.New(string(out))
		}
		var said bytes.Buffer
		cmd := exec.Command("sh", "-c", "kill -0 $PPID && echo it could be ended; cat /proc/$PPID/environ && echo it could be read; true")
		cmd.Dir, cmd.Stdout = "/", &said
		if err := u.Run(cmd); err != nil {
			return err
		}
		if said.Len() > 0 {
			t.Error(said.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestInspectorsFolderAndProgramsAreOutOfTheUsersReach(t *testing.T) {
	u, _ := open(t, Options{})
	in := u.Inspector()
	dir, err := in.PrivateFolder()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := in.Do(func() error { return os.WriteFile(filepath.Join(dir, "box"), []byte("review"), 0o666) }); err != nil {
		t.Fatal(err)
	}
	if got := output(t, in, "cat "+dir+"/box"); got != "review" {
		t.Errorf("the inspector's program reads %q", got)
	}
	cmd := exec.Command("sleep", "60")
	cmd.Dir = dir
	if err := in.Start(cmd); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	way := "/proc/" + pidOf(cmd) + "/cwd/box"
	if got := output(t, u, "cat "+dir+"/box 2>&1; cat "+way+" 2>&1; true"); strings.Contains(got, "review") || strings.Count(got, "denied") != 2 {
		t.Errorf("the agent's program: %s", got)
	}
	if got := output(t, in, "cat "+way); got != "review" {
		t.Errorf("the way is none for anybody: %q", got)
	}
}

func TestFolderThatTheUserCannotReadFailsInWordsAndNotAsRoot(t *testing.T) {
	u, dir := open(t, Options{})
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("true")
	cmd.Dir = locked
	if err := u.Run(cmd); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a program started in it: %v", err)
	}
	if err := u.Do(func() error { _, err := os.ReadDir(locked); return err }); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("it was read: %v", err)
	}
}
