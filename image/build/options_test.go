package build

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOptionsAreCompletedOrRefused(t *testing.T) {
	rpi, err := BoardNamed("rpi")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Options{Project: ".", Board: rpi, Output: "x.img", Cache: "c"}.complete()
	if err != nil {
		t.Fatal(err)
	}
	if o.Bytes != rpi.Bytes || !filepath.IsAbs(o.Project) || !filepath.IsAbs(o.Output) || !filepath.IsAbs(o.Cache) || o.Firmware.Folder != "" {
		t.Errorf("%+v", o)
	}
	for name, bad := range map[string]Options{
		"no output":    {Project: ".", Board: rpi},
		"too small":    {Project: ".", Board: rpi, Output: "x", Bytes: 1 << 20},
		"half a block": {Project: ".", Board: rpi, Output: "x", Bytes: smallest + 1},
	} {
		if _, err := bad.complete(); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := BoardNamed("c64"); err == nil || !strings.Contains(err.Error(), "qemu-arm64") {
		t.Errorf("an unknown board: %v", err)
	}
}

func TestTimeOfTheImageIsTheCommitsOrGiven(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1234567890")
	got, err := sourceDate(t.Context(), ".")
	if err != nil || !got.Equal(time.Unix(1234567890, 0)) {
		t.Errorf("%v, %v", got, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if _, err := sourceDate(t.Context(), "."); err == nil {
		t.Error("yesterday was accepted")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if _, err := sourceDate(context.Background(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "SOURCE_DATE_EPOCH") {
		t.Errorf("a folder without a history: %v", err)
	}
}
