package leaks

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// sleeper is a process with a variable.
func sleeper(t *testing.T, variable, seconds string) *exec.Cmd {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("this system does not show what processes have in their environment")
	}
	cmd := exec.Command("sleep", seconds)
	cmd.Env = append(os.Environ(), variable)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

func TestProcessIsWaitedFor(t *testing.T) {
	variable := "LEAKS=" + t.TempDir()
	began := time.Now()
	cmd := sleeper(t, variable, "1")
	if left := await(variable, patience); len(left) > 0 || time.Since(began) < time.Second {
		t.Errorf("after %v there is %v", time.Since(began), left) // as a zombie: nobody waited for it yet
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestProcessThatStaysIsTold(t *testing.T) {
	variable := "LEAKS=" + t.TempDir()
	cmd := sleeper(t, variable, "600")
	if left := await(variable, 0); !slices.Equal(left, []int{cmd.Process.Pid}) {
		t.Errorf("%v are left, want %d", left, cmd.Process.Pid)
	}
	if left := await(variable+"/not", patience); len(left) > 0 {
		t.Errorf("another variable: %v", left)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
