package updatetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// header is where a squashfs has its magic and its size.
const header = 96

// NewRoot makes a root file system that calls itself version. Traits such as
// "crash" are the test's own; Device.Trait asks for them.
func NewRoot(version string, size int, traits ...string) []byte {
	root := make([]byte, header, header+size)
	copy(root, "hsqs")
	root = fmt.Appendf(root, "\n%s\n%s\n", version, strings.Join(traits, " "))
	for i := 0; len(root) < header+size; i++ {
		root = fmt.Appendf(root, "%s block %d\n", version, i)
	}
	binary.LittleEndian.PutUint64(root[40:], uint64(len(root)))
	sum := fmt.Sprintf("end of %s", version)
	root = append(root[:len(root)-len(sum)], sum...)
	return root
}

// parseRoot reads what NewRoot made; ok tells whether it is whole.
func parseRoot(slot []byte) (version string, traits []string, ok bool) {
	if len(slot) < header || !bytes.HasPrefix(slot, []byte("hsqs")) {
		return "", nil, false
	}
	size := binary.LittleEndian.Uint64(slot[40:])
	if size < header || size > uint64(len(slot)) {
		return "", nil, false
	}
	lines := strings.SplitN(string(slot[header:size]), "\n", 4)
	if len(lines) != 4 {
		return "", nil, false
	}
	version = lines[1]
	return version, strings.Fields(lines[2]), bytes.HasSuffix(slot[:size], []byte("end of "+version)) &&
		bytes.Count(slot[:size], []byte(version+" block")) > 1
}
