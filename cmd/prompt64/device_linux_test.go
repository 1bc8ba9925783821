package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// prompt64Program is this program as a file to run.
func prompt64Program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "prompt64") // testscript goes by the name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	return program
}

// process is a device's bridge that runs as a process of its own.
type process struct {
	bridge, web string
	log         *lockedBuffer
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// startProcess runs cmd until the test's end and waits for its ready line.
func startProcess(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{log: &lockedBuffer{}}
	cmd.Stderr = p.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		defer kill.Stop()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("it ended with %v; its log:\n%s", err, p.log)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if n, _ := fmt.Sscanf(line, "ready bridge=%s web=%s\n", &p.bridge, &p.web); n != 2 {
		t.Fatalf("ready line %q: %v; its log:\n%s", line, err, p.log)
	}
	return p
}

// statusOf asks for the STATUS tab, as a C64 on the machine itself.
func statusOf(t *testing.T, at string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", at)
	}})
	defer c.Close()
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	rows, err := c.Texts(ctx, frames.TabStatus)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(rows, "\n")
}

// homeOf reads the first page, as a browser on the machine itself.
func homeOf(t *testing.T, web string) string {
	t.Helper()
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	res, err := client.Get("http://" + web + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", res.StatusCode, err)
	}
	return string(body)
}

// A device's card may be worn out, full or empty. Whatever it does, the device
// starts closed, says what is wrong and lets its owner in by the card.
func TestDeviceStartsOnAnyDataFolderAndSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		prepare string // with $D as a file system of its own; the data folder is $D/prompt64
		words   []string
	}{
		"missing":   {"mount -o remount,ro $D", []string{"read-only"}},
		"read-only": {"mkdir -p $D/prompt64/workspaces/mine; mount -o remount,ro $D", []string{"read-only"}},
		"full":      {"head -c 9M /dev/zero > $D/big 2>/dev/null; true", []string{"disk is full"}},
		"fullest":   {"mkdir $D/prompt64; head -c 9M /dev/zero > $D/big 2>/dev/null; true", []string{"disk is full"}},
		"a file":    {"echo no folder > $D/prompt64", []string{"a file is in the place of a folder"}},
		"corrupt":   {"mkdir $D/prompt64; echo { > $D/prompt64/config.json; echo { > $D/prompt64/config.json.last-good", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script := "mount -t tmpfs -o size=1M none $D || exit 77; " + c.prepare +
				`; exec "$P" serve -device -data $D/prompt64 -listen 127.0.0.1:0 -web 127.0.0.1:0`
			if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
				t.Skipf("no mount namespaces here: %v %s", err, out)
			}
			cmd := exec.Command("unshare", "-rm", "sh", "-c", script)
			cmd.Env = append(os.Environ(), "D="+dir, "P="+prompt64Program(t), "TMPDIR="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
			p := startProcess(t, cmd)
			status, home := statusOf(t, p.bridge), homeOf(t, p.web)
			if !strings.Contains(status, "SETTINGS: lost, closed") || !strings.Contains(home, "SETTINGS LOST") {
				t.Errorf("it is not closed: STATUS\n%s\nHome\n%s", status, home)
			}
			for _, words := range c.words {
				if !strings.Contains(status, "TROUBLE: ") || !strings.Contains(status, words) || !strings.Contains(home, words) {
					t.Errorf("%q is not said: STATUS\n%s\nHome\n%s", words, status, home)
				}
			}
			if !strings.Contains(home, "prompt64-reset") {
				t.Errorf("the way out is not said:\n%s", home)
			}
		})
	}
}
