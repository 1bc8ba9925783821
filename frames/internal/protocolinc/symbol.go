package protocolinc

import (
	"go/types"
	"strings"
	"unicode"
)

// Symbol is the assembler's name of a constant: TypeHelloOk is FRAME_HELLO_OK,
// a decision is DECISION_ and its name, and any other is its own name in capitals.
func Symbol(c *types.Const) string {
	name := c.Name()
	if n, ok := c.Type().(*types.Named); ok {
		switch n.Obj().Name() {
		case "Type":
			return "FRAME_" + snake(strings.TrimPrefix(name, "Type"))
		case "Decision":
			return "DECISION_" + snake(name)
		}
	}
	return snake(name)
}

// snake turns MaxPayloadToC64 into MAX_PAYLOAD_TO_C64 and HeartbeatQuietMS into
// HEARTBEAT_QUIET_MS.
func snake(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
