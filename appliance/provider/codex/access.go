package codex

import "github.com/prompt64/prompt64/frames"

// accessMode is an access mode in Codex's terms. thread/start takes the sandbox
// by name, turn/start as an object.
type accessMode struct {
	sandbox  string
	policy   sandboxPolicy
	approval string
	reviewer string
}

type sandboxPolicy struct {
	Type          string `json:"type"`
	NetworkAccess bool   `json:"networkAccess"`
}

// modeOf maps an access mode; an unknown one is read-only. All of it goes with
// every turn, since what a turn sets stays for the turns after it. No mode is
// danger-full-access.
func modeOf(a frames.Access) accessMode {
	switch a {
	case frames.AccessAsk:
		return accessMode{"read-only", sandboxPolicy{Type: "readOnly"}, "on-request", "user"}
	case frames.AccessAutoReview:
		return accessMode{"workspace-write", sandboxPolicy{Type: "workspaceWrite"}, "on-request", "auto_review"}
	}
	return accessMode{"read-only", sandboxPolicy{Type: "readOnly"}, "never", "user"}
}

// summaryOf is the reasoning summary to ask for. It must be asked for: the
// models that Codex knows give none by default. What comes all the same is
// filtered here, as the server passes on whatever the model sends.
func summaryOf(r frames.Reasoning) string {
	switch r {
	case frames.ReasoningSummary:
		return "auto"
	case frames.ReasoningDetailed, frames.ReasoningDeveloper:
		return "detailed"
	}
	return "none"
}
