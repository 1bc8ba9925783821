package privsep

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/appliance/guarded"
)

func pidOf(cmd *exec.Cmd) string { return strconv.Itoa(cmd.Process.Pid) }

func TestRootIsNoUserWithoutRights(t *testing.T) {
	if _, err := Open(Options{}); !errors.Is(err, ErrRoot) {
		t.Error(err)
	}
}

func TestWhoCannotBeKeptApartDoesNotRun(t *testing.T) {
	why := errors.New("no such user")
	u := Refusing(why)
	ran := false
	if err := u.Do(func() error { ran = true; return nil }); !errors.Is(err, why) || ran {
		t.Errorf("%v, ran %v", err, ran)
	}
	if err := u.Run(exec.Command("true")); !errors.Is(err, why) {
		t.Error(err)
	}
}

// A process without root's rights cannot become another; it must not go on as itself.
func TestWhoMayNotChangeUsersRefuses(t *testing.T) {
	u, dir := open(t, Options{})
	err := Apart(func() error {
		if err := u.become(); err != nil {
			return err
		}
		other := &User{id: nobody - 1, gid: nobody - 1}
		return errors.Join(other.becomeForFiles())
	})
	if !errors.Is(err, os.ErrPermission) {
		t.Errorf("in %s: %v", dir, err)
	}
}

func TestNilUserDoesEverythingAsBefore(t *testing.T) {
	var u *User
	out, err := exec.Command("id", "-u").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	cmd := exec.Command("id", "-u")
	cmd.Stdout = &got
	private, privateErr := u.Inspector().PrivateFolder()
	err = errors.Join(u.Run(cmd), u.Do(func() error { return nil }), u.Own("/nowhere"), u.Prepare(cmd), u.Close(), privateErr)
	if err != nil || got.String() != string(out) || u.Home() != "" || len(u.Lacks()) > 0 || private != "" {
		t.Errorf("%q, %v", &got, err)
	}
}

func TestSystemWithoutLimitsStartsProgramsAndSaysSo(t *testing.T) {
	for name, group := range map[string]string{"no folder": "/nowhere", "no cgroups": t.TempDir()} {
		u, _ := open(t, Options{Group: group, Memory: 1 << 30, Tasks: 100})
		if got := output(t, u, "id -u"); got != "65534\n" {
			t.Errorf("%s: it runs as %q", name, got)
		}
		if len(u.Lacks()) != 1 || !strings.Contains(u.Lacks()[0], "no limits") {
			t.Errorf("%s: %q", name, u.Lacks())
		}
		if entries, err := os.ReadDir(group); err == nil && len(entries) > 0 {
			t.Errorf("%s: %v was left", name, entries)
		}
	}
}

func TestUserWithoutAHomeStillWorks(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	u, err := Open(Options{ID: nobody, Home: "/proc/no/home"})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	if len(u.Lacks()) != 1 || u.Home() != os.TempDir() {
		t.Errorf("%q, %s", u.Lacks(), u.Home())
	}
}

// unified finds the cgroups of version 2.
func unified(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err == nil {
			probe, err := os.MkdirTemp(dir, "privsep-")
			if err != nil {
				continue
			}
			t.Cleanup(func() { _ = os.Remove(probe) })
			return probe
		}
	}
	t.Skip("there are no cgroups of version 2 to write in")
	return ""
}

func TestProgramsRunInACgroupAndWhatAFormerProcessLeftIsEnded(t *testing.T) {
	group := unified(t)
	u, _ := open(t, Options{Group: group})
	t.Cleanup(func() { _ = os.Remove(filepath.Join(group, groupName)) })
	if got := output(t, u, "cat /proc/self/cgroup"); !strings.Contains(got, "/agent\n") {
		t.Errorf("it runs in %s", got)
	}
	cmd := exec.Command("sleep", "600")
	if err := u.Start(cmd); err != nil {
		t.Fatal(err)
	}
	next, _ := open(t, Options{Group: group}) // a new start of the bridge
	_ = cmd.Wait()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGKILL {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
	if got := output(t, next, "id -u"); got != "65534\n" {
		t.Errorf("after it: %q", got)
	}
}

func TestLimitIsAskedForOfEachControllerThatThereIs(t *testing.T) {
	group := unified(t)
	u, _ := open(t, Options{Group: group, Memory: 1 << 30, Tasks: 100})
	t.Cleanup(func() { _ = os.Remove(filepath.Join(group, groupName)) })
	has, err := os.ReadFile(filepath.Join(group, "cgroup.controllers"))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"memory": "memory.max", "pids": "pids.max"} {
		there := strings.Contains(string(has), name)
		_, err := os.Stat(filepath.Join(group, groupName, file))
		if there != (err == nil) {
			t.Errorf("the controller %s is there: %v; its limit: %v", name, there, err)
		}
	}
	if want := 2 - strings.Count(string(has), "memory") - strings.Count(string(has), "pids"); len(u.Lacks()) != want {
		t.Errorf("of %q it says %q", has, u.Lacks())
	}
}

func TestBridgeKeepsItsShareOfTheMemory(t *testing.T) {
	for total, want := range map[int64]int64{512 << 20: 352 << 20, 8 << 30: 6 << 30, 160 << 20: 40 << 20} {
		if got := share(total); got != want {
			t.Errorf("of %d: %d", total, got)
		}
	}
	if Memory() <= 0 {
		t.Error("this machine has no memory")
	}
}

func TestFaultOfACallIsItsError(t *testing.T) {
	u, _ := open(t, Options{})
	for words, f := range map[string]func(){"oh": func() { panic("oh") }, "without a return": runtime.Goexit} {
		err := u.Do(func() error { f(); return nil })
		if _, ok := errors.AsType[*guarded.Fault](err); !ok || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", words, err)
		}
	}
}
