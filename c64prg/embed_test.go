package c64prg_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/c64prg"
)

func TestEmbeddedProgramLoadsAtBasicAndCanBeConfigured(t *testing.T) {
	prg := c64prg.Program()
	const most = 2 + 24<<10
	if len(prg) > most || len(prg) < 2 || prg[0] != 0x01 || prg[1] != 0x08 {
		t.Fatalf("%d bytes that begin with % x", len(prg), prg[:min(len(prg), 2)])
	}
	built, err := c64prg.Read(prg)
	if err != nil {
		t.Fatal(err)
	}
	if built.Code != "" {
		t.Error("the built program carries a pairing code")
	}
	want := built
	want.Host, want.Port, want.Code = "prompt64.lan", 6464, "ABCD2345"
	out, err := c64prg.Patch(prg, want)
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
	c64prg.Program()[0] ^= 0xFF
	if c64prg.Program()[0] != 0x01 {
		t.Error("the embedded program was changed through a copy")
	}
}
