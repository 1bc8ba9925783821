package unpack_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/unpack"
)

var wanted = []unpack.File{
	{Name: "bin/tool", Executable: true},
	{Name: "bin/helper", Executable: true},
	{Name: "extra/notes", Optional: true},
}

var roots = []string{"", "package/vendor/here/"}

// collect unpacks into memory.
func collect(t *testing.T, archive []byte, limits unpack.Limits) (map[string]string, error) {
	t.Helper()
	got := map[string]string{}
	err := unpack.Unpack(bytes.NewReader(archive), wanted, roots, limits, func(f unpack.File, size int64, r io.Reader) error {
		b, err := io.ReadAll(r)
		if int64(len(b)) != size && err == nil {
			t.Errorf("%s: announced %d bytes, read %d", f.Name, size, len(b))
		}
		got[f.Name] = string(b)
		return err
	})
	return got, err
}

func good(root string) []agenttest.Entry {
	return []agenttest.Entry{
		{Name: root + "README", Body: "passed over"},
		{Name: root + "bin/helper", Body: "helper"},
		{Name: root + "bin/", Dir: true},
		{Name: root + "bin/tool", Body: strings.Repeat("tool", 5000)},
		{Name: root + "voice/link", Link: "../bin/tool"},
	}
}

func TestWantedFilesComeFromEveryKindOfArchiveAndRoot(t *testing.T) {
	want := map[string]string{"bin/tool": strings.Repeat("tool", 5000), "bin/helper": "helper"}
	for _, format := range agenttest.Formats {
		for _, root := range []string{"", "./", "package/vendor/here/"} {
			got, err := collect(t, agenttest.Archive(t, format, good(root)), unpack.DefaultLimits)
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("%s in %q: %v, %v", format, root, slices.Sorted(maps.Keys(got)), err)
			}
		}
	}
}

func TestArchiveThatMeansIllIsRefused(t *testing.T) {
	with := func(e ...agenttest.Entry) []agenttest.Entry { return append(good(""), e...) }
	for name, c := range map[string]struct {
		entries []agenttest.Entry
		words   string
	}{
		"parent":            {with(agenttest.Entry{Name: "../evil", Body: "x"}), "path outside"},
		"parent within":     {with(agenttest.Entry{Name: "a/../../evil", Body: "x"}), "path outside"},
		"absolute":          {with(agenttest.Entry{Name: "/etc/passwd", Body: "x"}), "path outside"},
		"backslashes":       {with(agenttest.Entry{Name: `a\..\..\evil`, Body: "x"}), "path outside"},
		"wanted is a link":  {[]agenttest.Entry{{Name: "bin/tool", Link: "/bin/sh"}}, "no plain file"},
		"wanted twice":      {with(agenttest.Entry{Name: "bin/tool", Body: "other"}), "twice"},
		"wanted in 2 roots": {with(agenttest.Entry{Name: "package/vendor/here/extra/notes", Body: "other"}), "twice"},
		"one missing":       {[]agenttest.Entry{{Name: "bin/tool", Body: "x"}}, "lacks bin/helper"},
		"nothing there":     {[]agenttest.Entry{{Name: "README", Body: "x"}}, "lacks bin/tool, bin/helper"},
		"another machine's": {[]agenttest.Entry{{Name: "package/vendor/there/bin/tool", Body: "x"}}, "lacks"},
	} {
		for _, format := range agenttest.Formats {
			_, err := collect(t, agenttest.Archive(t, format, c.entries), unpack.DefaultLimits)
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%s, %s: %v, want %q", name, format, err, c.words)
			}
		}
	}
}

func TestArchiveStaysWithinItsLimits(t *testing.T) {
	for name, limits := range map[string]unpack.Limits{
		"file":    {File: 100, Total: 1 << 20, Entries: 100},
		"total":   {File: 1 << 20, Total: 10_000, Entries: 100},
		"entries": {File: 1 << 20, Total: 1 << 20, Entries: 3},
	} {
		for _, format := range agenttest.Formats {
			if _, err := collect(t, agenttest.Archive(t, format, good("")), limits); err == nil {
				t.Errorf("%s, %s: unpacked", name, format)
			}
		}
	}
}

// What nobody wants is read all the same in a tar stream, so a bomb could hide
// there.
func TestBombAmongPassedOverFilesIsCounted(t *testing.T) {
	bomb := agenttest.Entry{Name: "bomb", Body: strings.Repeat("\x00", 4<<20)}
	for _, format := range []string{"tar.gz", "tar.zst"} {
		archive := agenttest.Archive(t, format, append([]agenttest.Entry{bomb}, good("")...))
		if len(archive) > 64<<10 {
			t.Fatalf("%s: no bomb at %d bytes", format, len(archive))
		}
		_, err := collect(t, archive, unpack.Limits{File: 1 << 20, Total: 1 << 20, Entries: 100})
		if err == nil || !strings.Contains(err.Error(), "more than 1048576 bytes") {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestCutArchiveIsAnErrorAtEveryLength(t *testing.T) {
	for _, format := range agenttest.Formats {
		archive := agenttest.Archive(t, format, good("")[:4])
		for n := range archive[:len(archive)-1] {
			// Behind the last wanted file, gzip's own trailer may be lost
			// without harm: the digest is what guards a whole archive.
			got, err := collect(t, archive[:n], unpack.DefaultLimits)
			if err == nil && len(got) != 2 {
				t.Fatalf("%s cut at %d of %d: no error and %d files", format, n, len(archive), len(got))
			}
		}
	}
}

func TestFileOfAnotherKindIsNamedAsSuch(t *testing.T) {
	for _, body := range []string{"", "x", "<html>not found</html>", "\x7fELF...."} {
		if _, err := collect(t, []byte(body), unpack.DefaultLimits); !errors.Is(err, unpack.ErrFormat) {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestSinkThatReadsTooLittleFails(t *testing.T) {
	archive := agenttest.Archive(t, "tar.gz", good(""))
	err := unpack.Unpack(bytes.NewReader(archive), wanted, roots, unpack.DefaultLimits, func(_ unpack.File, _ int64, r io.Reader) error {
		_, err := r.Read(make([]byte, 2))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "bytes short") {
		t.Error(err)
	}
}
