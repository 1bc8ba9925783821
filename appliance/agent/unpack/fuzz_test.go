package unpack_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/unpack"
)

// No archive makes it hand on a file that nobody wants, a file twice, or more
// than the limits say.
func FuzzUnpack(f *testing.F) {
	for _, format := range agenttest.Formats {
		f.Add(agenttest.Archive(f, format, good("")))
		f.Add(agenttest.Archive(f, format, []agenttest.Entry{{Name: "../x", Body: "x"}, {Name: "bin/tool", Link: "/bin/sh"}}))
	}
	limits := unpack.Limits{File: 1 << 16, Total: 1 << 18, Entries: 50}
	f.Fuzz(func(t *testing.T, archive []byte) {
		seen := map[string]bool{}
		var total int64
		_ = unpack.Unpack(bytes.NewReader(archive), wanted, roots, limits, func(file unpack.File, size int64, r io.Reader) error {
			if seen[file.Name] || (file.Name != "bin/tool" && file.Name != "bin/helper" && file.Name != "extra/notes") {
				t.Errorf("handed on %q", file.Name)
			}
			seen[file.Name] = true
			n, err := io.Copy(io.Discard, r)
			if total += n; n > limits.File || total > limits.Total || n > size {
				t.Errorf("%d bytes of %q, announced %d", n, file.Name, size)
			}
			return err
		})
	})
}
