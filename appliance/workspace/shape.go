package workspace

import (
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/display"
)

// maxShown is how many bytes of a name a WorkspaceEntry carries, behind its
// index.
const maxShown = frames.MaxPayloadToC64 - 1

// ShownName is a folder's name as a list on the C64 has to show it, so that
// Resolve finds the folder by it. A long name keeps its tail.
func ShownName(name string, palette bool) []byte {
	return display.FitTail(display.Line(name, display.Options{Palette: palette}), maxShown)
}

// looksLike says that a list would show both names alike, with the graphic
// palette or without: a C64 may have changed that since it got the list.
func looksLike(a, b string) bool {
	for _, palette := range []bool{false, true} {
		if string(ShownName(a, palette)) == string(ShownName(b, palette)) {
			return true
		}
	}
	return false
}
