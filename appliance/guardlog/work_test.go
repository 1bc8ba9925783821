package guardlog

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWorkThatNobodySaysIsNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "work")
	if got := ReadWork(file); got != (Work{}) {
		t.Errorf("without a file: %+v", got)
	}
	for _, want := range []Work{{1, "something"}, {2, "something"}, {3, "more"}} {
		if err := WriteWork(file, want); err != nil {
			t.Fatal(err)
		}
		if got := ReadWork(file); got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
	if err := os.WriteFile(file, []byte(`{"beat":3,"what":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ReadWork(file); got != (Work{}) {
		t.Errorf("of nonsense: %+v", got)
	}
	if err := WriteWork(filepath.Join(file, "no folder"), Work{}); err == nil {
		t.Error("what could not be written is no error")
	}
}
