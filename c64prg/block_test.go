package c64prg_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/c64prg"
)

const blockSize = 78

// synthetic is a file like a PRG: load address, code, the block, more code.
func synthetic() []byte {
	var b bytes.Buffer
	b.Write([]byte{0x01, 0x08, 0x0b, 0x08, 0xa9, 0x00})
	b.WriteString(c64prg.Magic)
	b.Write(make([]byte, blockSize))
	b.Write(bytes.Repeat([]byte{0xEA}, 40))
	return b.Bytes()
}

func full() c64prg.Config {
	return c64prg.Config{Host: "prompt64.lan", Port: 6464, Code: "ABCD2345",
		Link: c64prg.LinkAsk, Baud: 3, Scheme: 2, Sound: 1}
}

func TestPatchedBlockHasTheDocumentedLayout(t *testing.T) {
	prg := synthetic()
	out, err := c64prg.Patch(prg, full())
	if err != nil {
		t.Fatal(err)
	}
	host := make([]byte, 64)
	copy(host, "prompt64.lan")
	want := bytes.Clone(prg[:6])
	want = append(want, "P64CFG1"...)
	want = append(want, host...)
	want = append(want, 0x40, 0x19)
	want = append(want, "ABCD2345"...)
	want = append(want, 2, 3, 2, 1)
	want = append(want, bytes.Repeat([]byte{0xEA}, 40)...)
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("patched file (-want +got):\n%s", diff)
	}
	if !bytes.Equal(prg, synthetic()) {
		t.Error("Patch changed its input")
	}
}

func TestReadGivesBackWhatWasPatched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := c64prg.Config{
			Host:   rapid.StringMatching(`[a-z]([a-z0-9_]{0,14}\.[a-z]{1,8}){0,2}`).Draw(t, "host"),
			Port:   rapid.Uint16Min(1).Draw(t, "port"),
			Code:   rapid.StringMatching(`([A-Z2-9]{8})?`).Draw(t, "code"),
			Link:   c64prg.Link(rapid.Uint8Max(2).Draw(t, "link")),
			Baud:   rapid.Uint8Max(6).Draw(t, "baud"),
			Scheme: rapid.Uint8().Draw(t, "scheme"),
			Sound:  rapid.Uint8().Draw(t, "sound"),
		}
		// What was there before must not shine through.
		dirty, err := c64prg.Patch(synthetic(), c64prg.Config{Host: strings.Repeat("x", 63), Port: 0xFFFF, Code: "ZZZZZZZZ"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := c64prg.Patch(dirty, want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c64prg.Read(out)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("read back (-want +got):\n%s", diff)
		}
	})
}

func TestFileWithoutExactlyOneWholeBlockIsRefused(t *testing.T) {
	one := synthetic()
	cut := one[:6+len(c64prg.Magic)+blockSize-1]
	for name, prg := range map[string][]byte{
		"empty":     nil,
		"no magic":  bytes.ReplaceAll(one, []byte("P64CFG1"), []byte("P64CFG2")),
		"two":       append(bytes.Clone(one), one...),
		"cut":       cut,
		"only half": []byte("P64CFG"),
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := c64prg.Patch(prg, full()); !errors.Is(err, c64prg.ErrNoBlock) || out != nil {
				t.Errorf("Patch = %d bytes, %v; want ErrNoBlock", len(out), err)
			}
			if _, err := c64prg.Read(prg); !errors.Is(err, c64prg.ErrNoBlock) {
				t.Errorf("Read: %v, want ErrNoBlock", err)
			}
		})
	}
	if _, err := c64prg.Patch(one[:len(cut)+1], full()); err != nil {
		t.Errorf("a block that ends with the file: %v", err)
	}
}

func TestUnpatchedBlockReadsAsEmpty(t *testing.T) {
	got, err := c64prg.Read(synthetic())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c64prg.Config{}, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}
