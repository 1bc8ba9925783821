package ultimate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/ultimate"
)

// This program is also the two ends of a cable, each in a network namespace of its
// own: a namespace belongs to a process's threads, so each end is a process.
const roleVariable = "PROMPT64_TEST_ULTIMATE_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "device":
		answerForEver()
	case "finder":
		findOnce()
	default:
		leaks.Main(m)
	}
}

// answerForEver is the Ident service of a device whose web service is off.
func answerForEver() {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{Port: 64})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("listening")
	buf := make([]byte, 2048)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			os.Exit(1)
		}
		answer, _ := json.Marshal(map[string]string{"product": "Ultimate at the far end", "your_string": strings.TrimPrefix(string(buf[:n]), "json")})
		_, _ = conn.WriteToUDPAddrPort(answer, from)
	}
}

func findOnce() {
	found, err := (&ultimate.Finder{Client: &ultimate.Client{}}).Find(context.Background())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(found)
}

// cable makes two namespaces with a network of RFC 2544 between them.
func cable(t *testing.T) (near, far string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may make network namespaces: run the tests as root to see a real broadcast")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no ip command: scripts/setup installs iproute2")
	}
	ip := func(args ...string) error {
		out, err := exec.Command("ip", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	near, far = fmt.Sprintf("p64u-%d-near", os.Getpid()), fmt.Sprintf("p64u-%d-far", os.Getpid())
	for _, ns := range []string{near, far} {
		if err := ip("netns", "add", ns); err != nil {
			t.Skipf("this machine makes no network namespaces: %v", err)
		}
		t.Cleanup(func() { _ = ip("netns", "del", ns) })
	}
	for _, args := range [][]string{
		{"-n", near, "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", far},
		{"-n", near, "addr", "add", "198.18.0.1/24", "dev", "near"},
		{"-n", far, "addr", "add", "198.18.0.2/24", "dev", "far"},
		{"-n", near, "link", "set", "near", "up"},
		{"-n", far, "link", "set", "far", "up"},
	} {
		if err := ip(args...); err != nil {
			t.Fatal(err)
		}
	}
	return near, far
}

func inNamespace(ns, role string) *exec.Cmd {
	cmd := exec.Command("ip", "netns", "exec", ns, os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return cmd
}

func TestBroadcastReachesADeviceAcrossARealNetwork(t *testing.T) {
	near, far := cable(t)
	device := inNamespace(far, "device")
	out, err := device.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := device.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = device.Process.Kill()
		_ = device.Wait()
	})
	line := make([]byte, 9)
	if _, err := out.Read(line); err != nil || string(line) != "listening" {
		t.Fatalf("the device says %q, %v", line, err)
	}
	var found []ultimate.Found
	for range 10 { // the interfaces may need a moment to come up
		text, err := inNamespace(near, "finder").CombinedOutput()
		if err := json.Unmarshal(text, &found); err == nil && len(found) > 0 {
			break
		}
		t.Logf("not yet: %v %s", err, text)
	}
	if len(found) != 1 || found[0].Address.String() != "198.18.0.2" || found[0].Own.String() != "198.18.0.1" {
		t.Fatalf("found %+v", found)
	}
	wantTrouble(t, found[0].Trouble, ultimate.ServiceOff)
}
