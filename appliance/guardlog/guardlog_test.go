package guardlog

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestLogComesBackAndKeepsTheNewestEntries(t *testing.T) {
	dir := t.TempDir()
	if l, err := Read(dir); err != nil || len(l.Entries) != 0 {
		t.Fatalf("without a file: %+v, %v", l, err)
	}
	want := Log{Boot: "b", Ran: time.Hour}
	if _, ok := want.Last(); ok {
		t.Error("an empty log has a last entry")
	}
	for i := range Kept + 5 {
		want.Add(Entry{Moment: Moment{Wall: time.Unix(int64(i), 0).UTC()}, Action: Restarted, Reason: fmt.Sprint(i)})
	}
	if err := Write(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
	if last, ok := got.Last(); !ok || last.Reason != fmt.Sprint(Kept+4) || len(got.Entries) != Kept {
		t.Errorf("last %+v of %d", last, len(got.Entries))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDamagedLogIsAnErrorAndAnEmptyLog(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"torn":     func(path string) error { return os.WriteFile(path, []byte(`{"boot":`), 0o600) },
		"empty":    func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"huge":     func(path string) error { return os.WriteFile(path, make([]byte, 2*maxFile), 0o600) },
	} {
		dir := t.TempDir()
		if err := spoil(filepath.Join(dir, Name)); err != nil {
			t.Fatal(err)
		}
		if l, err := Read(dir); err == nil || len(l.Entries) != 0 {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
		if err := Write(dir, Log{Boot: "new"}); (err != nil) != (name == "a folder") {
			t.Errorf("%s: write: %v", name, err)
		}
	}
	if err := Write(filepath.Join(t.TempDir(), "missing"), Log{}); err == nil || !strings.Contains(err.Error(), "guard's log") {
		t.Errorf("into no folder: %v", err)
	}
}

func TestPlacesThatNobodySaidAreTheUsualOnes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "places")
	usual := Places{"127.0.0.1:6464", "127.0.0.1:80"}
	if got := ReadPlaces(file, usual); got != usual {
		t.Errorf("without a file: %+v", got)
	}
	if err := WritePlaces(file, Places{Bridge: "127.0.0.1:7000"}); err != nil {
		t.Fatal(err)
	}
	if got := ReadPlaces(file, usual); got != (Places{"127.0.0.1:7000", "127.0.0.1:80"}) {
		t.Errorf("with one: %+v", got)
	}
}

func TestListenerOnEveryAddressIsDialedAtLoopback(t *testing.T) {
	for want, addr := range map[string]net.Addr{
		"127.0.0.1:1":   &net.TCPAddr{Port: 1},
		"127.0.0.1:2":   &net.TCPAddr{IP: net.IPv4zero, Port: 2},
		"127.0.0.1:3":   &net.TCPAddr{IP: net.IPv6unspecified, Port: 3},
		"192.168.1.5:4": &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 4},
		"[::1]:5":       &net.TCPAddr{IP: net.IPv6loopback, Port: 5},
		"":              &net.UnixAddr{},
	} {
		if got := Dialable(addr); got != want {
			t.Errorf("%v: %q, want %q", addr, got, want)
		}
	}
	if got := Dialable(nil); got != "" {
		t.Errorf("nothing: %q", got)
	}
}

func TestDumpReplacesTheFormerOne(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"one, which is longer", "two"} {
		if err := WriteDump(dir, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, DumpName)); err != nil || string(got) != "two" {
		t.Errorf("%q, %v", got, err)
	}
}
