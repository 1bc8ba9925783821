package workspace

import (
	"os"
	"testing"
	"time"
)

func TestOnlyWhatIsSurelyUnchangedIsNotRead(t *testing.T) {
	g := newGround(t)
	g.write("f", "one\n")
	info, err := os.Lstat(g.path("f"))
	if err != nil {
		t.Fatal(err)
	}
	stamp := func(t time.Time) [2]uint32 { return [2]uint32{uint32(t.Unix()), uint32(t.Nanosecond())} }
	same := indexEntry{mode: modeFile, size: 4, mtime: stamp(info.ModTime())}
	if c, ok := changeTime(info); ok {
		same.ctime = stamp(c)
	}
	after := info.ModTime().Add(time.Nanosecond)
	for name, c := range map[string]struct {
		change  func(e *indexEntry)
		written time.Time
		want    bool
	}{
		"unchanged":             {func(*indexEntry) {}, after, true},
		"written as git looked": {func(*indexEntry) {}, info.ModTime(), false},
		"written later":         {func(*indexEntry) {}, info.ModTime().Add(-time.Hour), false},
		"another size":          {func(e *indexEntry) { e.size++ }, after, false},
		"another mode":          {func(e *indexEntry) { e.mode = modeProgram }, after, false},
		"a link":                {func(e *indexEntry) { e.mode = modeLink }, after, false},
		"a submodule":           {func(e *indexEntry) { e.mode = modeModule }, after, false},
		"another second":        {func(e *indexEntry) { e.mtime[0]++ }, after, false},
		"another nanosecond":    {func(e *indexEntry) { e.mtime[1] ^= 1 }, after, false},
		"whole seconds, racy":   {func(e *indexEntry) { e.mtime[1] = 0 }, after, false},
		"whole seconds":         {func(e *indexEntry) { e.mtime[1], e.ctime[1] = 0, 0 }, after.Add(time.Second), true},
	} {
		e := same
		c.change(&e)
		s := &scan{set: settings{fileMode: true, symlinks: true}, written: c.written}
		if got := s.clean(&e, info); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
