package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames"
)

func TestBridgeOutlivesTheReaderOfItsLog(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	prompt64 := filepath.Join(t.TempDir(), "prompt64") // testscript goes by the name
	if err := os.Symlink(self, prompt64); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(prompt64, "serve", "-data", t.TempDir(), "-listen", "127.0.0.1:0", "-web", "127.0.0.1:0", "-verbose")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }).Stop()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	var bridge, web string
	if n, scanErr := fmt.Sscanf(line, "ready bridge=%s web=%s\n", &bridge, &web); n != 2 {
		t.Fatalf("ready line %q: %v, %v", line, err, scanErr)
	}
	_, _ = stdout.Close(), stderr.Close()
	for range 20 { // each leaves a line in the log
		nc, err := net.Dial("tcp", bridge)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(nc, "GET / HTTP/1.0\r\n\r\n")
		r := frames.NewReader(nc, frames.ToC64)
		if f, err := r.Next(); err != nil || string(f.Payload) != frames.ErrorVersion {
			t.Fatalf("%v: %q, %v", f.Type, f.Payload, err)
		}
		_ = nc.Close()
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}
