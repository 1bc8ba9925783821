// Package guardtest is the part of gokrazy's init that programs of a device talk
// to: a socket on which a supervised program can be looked at and restarted, and
// a reboot that is only counted.
//
// It runs one real process, starts it again when it ends, and keeps its last
// lines, as gokrazy does. It knows one program, and neither updates nor passwords.
package guardtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"
)

// keptLines is how many lines gokrazy keeps.
const keptLines = 100

// again is how long an ended program waits for its next start.
const again = 50 * time.Millisecond

// token is what gokrazy gives out as a cookie and wants back in the form.
const token = "271828"

// Gokrazy is the init. Its methods are safe for concurrent use.
type Gokrazy struct {
	path    string
	command func() *exec.Cmd
	server  *http.Server
	ended   chan struct{}
	stop    chan struct{}

	mu      sync.Mutex
	process *os.Process
	starts  int
	reboots int
	lines   []string
	said    int // lines ever
}

// Start runs an init on a socket with one program, known to it as path. command
// makes the command of each start.
func Start(socket, path string, command func() *exec.Cmd) (*Gokrazy, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	g := &Gokrazy{path: path, command: command, ended: make(chan struct{}), stop: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/status", g.status)
	mux.HandleFunc("/restart", g.restart)
	mux.HandleFunc("/reboot", g.reboot)
	mux.HandleFunc("/log", g.log)
	g.server = &http.Server{Handler: mux}
	var serving sync.WaitGroup
	serving.Go(func() { _ = g.server.Serve(l) })
	serving.Go(g.supervise)
	go func() {
		serving.Wait()
		close(g.ended)
	}()
	return g, nil
}

// Close ends the program and the init.
func (g *Gokrazy) Close() {
	close(g.stop)
	_ = g.server.Close()
	g.signal(syscall.SIGKILL)
	<-g.ended
}

// Starts is how often the program was started.
func (g *Gokrazy) Starts() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.starts
}

// Reboots is how often a reboot was asked for.
func (g *Gokrazy) Reboots() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reboots
}

func (g *Gokrazy) supervise() {
	for {
		g.run()
		select {
		case <-g.stop:
			return
		case <-time.After(again):
		}
	}
}

// run runs the program once.
func (g *Gokrazy) run() {
	cmd := g.command()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return
	}
	g.mu.Lock()
	select {
	case <-g.stop:
		err = os.ErrClosed
	default:
		err = cmd.Start()
	}
	if err == nil {
		g.process = cmd.Process
		g.starts++
	}
	g.mu.Unlock()
	if err != nil {
		return
	}
	for scan := bufio.NewScanner(stderr); scan.Scan(); {
		g.mu.Lock()
		g.said++
		g.lines = append(g.lines, scan.Text())
		g.lines = g.lines[max(0, len(g.lines)-keptLines):]
		g.mu.Unlock()
	}
	_ = cmd.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.process = nil
}

func (g *Gokrazy) signal(s os.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.process != nil {
		_ = g.process.Signal(s)
	}
}

func (g *Gokrazy) status(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "gokrazy_xsrf", Value: token, HttpOnly: true})
	if !g.known(w, r) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	var state struct {
		Stopped bool
		Pid     int
		Path    string
	}
	state.Path = g.path
	if g.process != nil {
		state.Pid = g.process.Pid
	}
	_ = json.NewEncoder(w).Encode(state)
}

func (g *Gokrazy) known(w http.ResponseWriter, r *http.Request) bool {
	if r.FormValue("path") != g.path {
		http.Error(w, "service not found", http.StatusNotFound)
		return false
	}
	return true
}

// restart sends one signal, as gokrazy does: whether the program ends is its own
// affair.
func (g *Gokrazy) restart(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie("gokrazy_xsrf")
	switch {
	case r.Method != http.MethodPost:
		http.Error(w, "expected a POST request", http.StatusBadRequest)
		return
	case err != nil:
		http.Error(w, "XSRF cookie missing", http.StatusBadRequest)
		return
	case cookie.Value != r.FormValue("xsrftoken"):
		http.Error(w, "XSRF token mismatch", http.StatusForbidden)
		return
	case !g.known(w, r):
		return
	}
	if r.FormValue("signal") == "kill" {
		g.signal(syscall.SIGKILL)
	} else {
		g.signal(syscall.SIGTERM)
	}
	http.Redirect(w, r, "/status", http.StatusSeeOther)
}

func (g *Gokrazy) reboot(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "expected a POST request", http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reboots++
	fmt.Fprintln(w, "Rebooting...")
}

// log tells the last lines, and those to come.
func (g *Gokrazy) log(w http.ResponseWriter, r *http.Request) {
	if !g.known(w, r) {
		return
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for told := 0; ; {
		g.mu.Lock()
		lines := slices.Clone(g.lines[max(0, len(g.lines)-(g.said-told)):])
		told = g.said
		g.mu.Unlock()
		for _, line := range lines {
			_, _ = io.WriteString(w, line+"\n")
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}
