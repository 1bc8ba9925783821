package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/image/nbd"
)

// The partitions of a card.
const (
	bootPart = 1
	slotA    = 2
	slotB    = 3
	permPart = 4
)

// parts are where the partitions of a card are.
func parts(t *testing.T, card string) map[int]nbd.Part {
	t.Helper()
	f, err := os.Open(card)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	table, err := gpt.Read(f, uint64(info.Size()/gpt.SectorSize))
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]nbd.Part{}
	for n := bootPart; n <= permPart; n++ {
		p, err := table.Partition(n)
		if err != nil {
			t.Fatal(err)
		}
		out[n] = nbd.Part{From: p.Offset(), To: p.Offset() + p.Bytes()}
	}
	return out
}

func sizeOf(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func content(t *testing.T, card string, p nbd.Part) []byte {
	t.Helper()
	f, err := os.Open(card)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, p.From, p.To-p.From))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var rootNamed = regexp.MustCompile(`root=PARTUUID=[^ ]*/PARTNROFF=([12])[^\n]*`)

// bootsFrom is the slot that a card starts from. Both boot files must name it, and
// neither a trial.
func bootsFrom(t *testing.T, card string) int {
	t.Helper()
	boot := content(t, card, parts(t, card)[bootPart])
	if bytes.Contains(boot, []byte(password)) {
		t.Error("the password is still on the boot partition")
	}
	lines := rootNamed.FindAllSubmatch(boot, -1)
	if len(lines) != 2 {
		t.Fatalf("%d boot files name a root", len(lines))
	}
	for _, l := range lines {
		if !bytes.Equal(l[1], lines[0][1]) || bytes.Contains(l[0], []byte("gokrazy.")) {
			t.Errorf("the boot files say\n%s\n%s", lines[0][0], lines[1][0])
			break
		}
	}
	return slotA + int(lines[0][1][0]-'1')
}

// rootIn is the digest of the root file system in a slot; empty: there is none.
func rootIn(t *testing.T, card string, slot int) string {
	t.Helper()
	p := parts(t, card)[slot]
	super := content(t, card, nbd.Part{From: p.From, To: p.From + 96})
	size := int64(binary.LittleEndian.Uint64(super[40:]))
	if !bytes.HasPrefix(super, []byte("hsqs")) || size > p.To-p.From {
		return ""
	}
	sum := sha256.Sum256(content(t, card, nbd.Part{From: p.From, To: p.From + size}))
	return hex.EncodeToString(sum[:])
}

// checkPerm lets e2fsck replay the journal and look for faults, which none of the
// cuts may leave. It returns the file system, as a file.
func checkPerm(t *testing.T, card string) string {
	t.Helper()
	p, perm := parts(t, card)[permPart], filepath.Join(t.TempDir(), "perm")
	out, err := exec.Command("dd", "if="+card, "of="+perm, "bs=1M", "conv=sparse", "status=none",
		"iflag=skip_bytes,count_bytes", fmt.Sprint("skip=", p.From), fmt.Sprint("count=", p.To-p.From)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err = exec.Command(sbin("e2fsck"), "-f", "-p", perm).CombinedOutput()
	if err != nil && exitCode(err) != 1 { // 1: it repaired what journals leave, such as counts
		t.Errorf("/perm has faults: %v\n%s", err, out)
	}
	return perm
}

// permFile reads a file in a file system that checkPerm returned.
func permFile(t *testing.T, perm, path string) string {
	t.Helper()
	cat := exec.Command(sbin("debugfs"), "-R", "cat "+path, perm)
	var said strings.Builder
	cat.Stderr = &said
	out, err := cat.Output()
	if err != nil || strings.Contains(said.String(), "not found") { // which is no error to it
		t.Fatalf("read %s: %v %s", path, err, said.String())
	}
	return string(out)
}

func exitCode(err error) int {
	if e, ok := err.(*exec.ExitError); ok {
		return e.ExitCode()
	}
	return -1
}

// sbin finds a tool that is not on the path of a plain user.
func sbin(name string) string {
	for _, dir := range strings.Split("/usr/sbin:/sbin", ":") {
		if _, err := os.Stat(dir + "/" + name); err == nil {
			return dir + "/" + name
		}
	}
	return name
}
