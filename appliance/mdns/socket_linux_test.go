package mdns_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/mdns"
)

// This program is also a machine at the end of a cable: a network namespace belongs
// to a process's threads, so each machine is a process.
const roleVariable = "PROMPT64_TEST_MDNS_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "responder":
		respond()
	case "asker":
		askOrdinarily()
	default:
		leaks.Main(m)
	}
}

// respond says each name that it gets, until its input ends.
func respond() {
	r, err := mdns.New(mdns.Config{Host: "prompt64", Services: []mdns.Service{web}})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	go func() {
		for last := ""; ; time.Sleep(20 * time.Millisecond) {
			if name := r.Status().Name; name != last {
				last = name
				fmt.Println("name", name)
			}
		}
	}()
	fmt.Println("ended", r.Serve(ctx))
}

// askOrdinarily is a resolver that knows ordinary DNS only.
func askOrdinarily() {
	conn, err := net.ListenUDP("udp4", nil)
	if err != nil {
		panic(err)
	}
	q := dnsmessage.Message{Header: dnsmessage.Header{ID: 9}, Questions: []dnsmessage.Question{question("prompt64.local.", dnsmessage.TypeA)}}
	data, err := q.Pack()
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 9000)
	for range 20 {
		_, _ = conn.WriteToUDP(data, &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: 5353})
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		n, from, err := conn.ReadFromUDP(buf)
		var m dnsmessage.Message
		if err != nil || m.Unpack(buf[:n]) != nil {
			continue
		}
		fmt.Println(from.IP, m.Answers[0].Body.GoString())
		return
	}
	fmt.Println("nobody answers")
}

// world is a network namespace.
type world struct {
	t    *testing.T
	name string
}

func (w world) ip(args ...string) {
	w.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		w.t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func newWorld(t *testing.T, name string) world {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may make network namespaces: run the tests as root to see real multicasts")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no ip command: scripts/setup installs iproute2")
	}
	w := world{t, fmt.Sprintf("p64m-%d-%s", os.Getpid(), name)}
	if out, err := exec.Command("ip", "netns", "add", w.name).CombinedOutput(); err != nil {
		t.Skipf("this machine makes no network namespaces: %s", out)
	}
	t.Cleanup(func() { w.ip("netns", "del", w.name) })
	w.ip("-n", w.name, "link", "set", "lo", "up")
	return w
}

func (w world) command(role string) *exec.Cmd {
	cmd := exec.Command("ip", "netns", "exec", w.name, os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return cmd
}

// responder starts one; name waits for the next name that it gets, and stop ends it.
func (w world) responder() (name func() string, stop func()) {
	w.t.Helper()
	cmd := w.command("responder")
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	patience := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	name = func() string {
		for lines.Scan() {
			if n, ok := strings.CutPrefix(lines.Text(), "name "); ok {
				return n
			}
		}
		return "it ended"
	}
	stop = func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		patience.Stop()
	}
	return name, stop
}

func TestTwoMachinesOnARealNetworkHaveTwoNames(t *testing.T) {
	near, far := newWorld(t, "near"), newWorld(t, "far")
	near.ip("-n", near.name, "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", far.name)
	near.ip("-n", near.name, "addr", "add", "198.18.0.2/24", "dev", "near")
	near.ip("-n", near.name, "link", "set", "near", "up")
	far.ip("-n", far.name, "addr", "add", "198.18.0.1/24", "dev", "far")
	far.ip("-n", far.name, "link", "set", "far", "up")
	near.ip("-n", near.name, "route", "add", "224.0.0.0/4", "dev", "near")

	first, stopFirst := near.responder()
	defer stopFirst()
	if got := first(); got != "prompt64.local" {
		t.Fatalf("the first is %s", got)
	}
	second, stopSecond := far.responder()
	defer stopSecond()
	got := second()
	for got == "prompt64.local" || got == "" { // the first is late to defend its name where much runs
		got = second()
	}
	if got != "prompt64-2.local" {
		t.Errorf("the second is %s", got)
	}
	if out, err := near.command("asker").CombinedOutput(); err != nil || !strings.Contains(string(out), "198, 18, 0, 2") {
		t.Errorf("an ordinary resolver hears %s, %v", out, err)
	}
	if os.Getenv("PROMPT64_LONG") != "1" {
		t.Log("an address that goes and comes is left out; PROMPT64_LONG=1 has it")
		return
	}
	far.ip("-n", far.name, "addr", "flush", "dev", "far")
	if got := second(); got != "" {
		t.Errorf("without an address the second is %s", got)
	}
	far.ip("-n", far.name, "addr", "add", "198.18.0.3/24", "dev", "far")
	if got := second(); got != "prompt64-2.local" {
		t.Errorf("after it was away, the second is %s", got)
	}
}
