package workspace

// defaultShapes is used until the display shaper is given: printable ASCII
// stays, anything else becomes a question mark.
var defaultShapes = []Shape{plainShape}

// maxShown is how many bytes of a name a WorkspaceEntry carries.
const maxShown = 91

func plainShape(name string) []byte {
	out := make([]byte, 0, len(name))
	for _, c := range name {
		if c < ' ' || c > '~' {
			c = '?'
		}
		out = append(out, byte(c))
	}
	return out[:min(len(out), maxShown)]
}
