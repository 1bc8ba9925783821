package frames

import (
	"strconv"
	"strings"
)

// name returns the v-th of the names, or its number.
func name(v uint8, names ...string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// String names the decision.
func (d Decision) String() string {
	return name(uint8(d), "accept once", "accept for session", "decline", "cancel")
}

// String names the kind of approval.
func (k ApprovalKind) String() string { return name(uint8(k), "command", "file") }

// String names the state of an activity.
func (l Lifecycle) String() string { return name(uint8(l), "started", "completed", "failed") }

// String names the setting.
func (r Reasoning) String() string {
	return name(uint8(r), "off", "summary", "detailed", "developer")
}

// String names the access mode.
func (a Access) String() string { return name(uint8(a), "read only", "ask", "auto review") }

// String names the speaker.
func (s Speaker) String() string { return name(uint8(s), "user", "assistant") }

// String names the tab.
func (t Tab) String() string { return name(uint8(t), "status", "activity", "changes", "actions") }

// String names the kind of line.
func (k LineKind) String() string {
	return name(uint8(k), "context", "addition", "deletion", "metadata")
}

// String lists the capabilities; reserved bits are numbers.
func (c Capabilities) String() string {
	names := []string{
		"lease", "settings", "sessions", "reasoning", "approvals", "dashboard", "heartbeat",
		"durable approval", "approval detail", "workspace list", "pairing", "named decision",
	}
	var has []string
	for bit := range uint8(16) {
		if c&(1<<bit) != 0 {
			has = append(has, name(bit, names...))
		}
	}
	return strings.Join(has, ", ")
}

// String shows the beginning of the token: enough to tell two apart, too little to
// take a lease over with.
func (t Token) String() string { return hex2(Type(t[0])) + hex2(Type(t[1])) + ".." }
