package config

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// childVariable makes the test binary save settings until it is killed.
const childVariable = "CONFIG_TEST_SAVE_IN"

// saveForEver tells after each save which it was.
func saveForEver(dir string) {
	s := Open(Options{Dir: dir})
	for i := 0; ; i++ {
		err := s.Update(func(s *Settings) error {
			// The secrets change along, so that a mix of two saves would show.
			s.Hostname, s.Pairing.Code = numbered(i)
			s.Password = Password{NewSecret(s.Password.hash.Reveal())}
			return nil
		})
		if err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(i)
	}
}

// numbered are a hostname and a code that go together.
func numbered(i int) (string, Secret) {
	code := []byte("AAAAAAAA")
	for at := range code {
		code[at] += byte(i % 26)
		i /= 26
	}
	return "n" + string(code), NewSecret(string(code))
}

func TestKillAtAnyMomentLeavesTheOldSettingsOrTheNew(t *testing.T) {
	dir := populated(t)
	for range 8 {
		last := killedAfter(t, dir, 1+rand.IntN(8))
		settings, state := Read(Options{Dir: dir})
		if state.Source != Loaded || len(state.Problems) > 0 {
			t.Fatalf("after save %d: %+v", last, state)
		}
		if settings.Hostname != "n"+settings.Pairing.Code.Reveal() {
			t.Fatalf("hostname %s has the code %s", settings.Hostname, settings.Pairing.Code.Reveal())
		}
		was, _ := numbered(last)
		next, _ := numbered(last + 1)
		if settings.Hostname != was && settings.Hostname != next {
			t.Fatalf("after save %d the hostname is %s, not %s or %s", last, settings.Hostname, was, next)
		}
		if !settings.Password.Matches(testPassword) {
			t.Fatal("the password is gone")
		}
	}
	mustUpdate(t, Open(Options{Dir: dir}), named("after"))
	if names := list(t, dir); len(names) > 4 { // two files of settings, at most two of secrets
		t.Errorf("the next save leaves behind %q", names)
	}
}

// killedAfter lets a child save n times or a few more, and returns the last save
// that it told of.
func killedAfter(t *testing.T, dir string, n int) (last int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "error") {
			t.Error(lines.Text())
			break
		}
		fmt.Sscan(lines.Text(), &last)
		if n--; n == 0 {
			_ = child.Process.Kill() // and read what it told before
		}
	}
	_ = child.Wait() // killed
	return last
}
