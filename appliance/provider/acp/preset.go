package acp

import (
	"slices"
	"strings"

	"github.com/prompt64/prompt64/frames"
)

// preset is what is known about one agent. Modes are tried in their order; one
// that the agent does not offer is passed over.
type preset struct {
	name    string
	argv    []string
	env     []string // defaults; the user's environment and configuration win
	install string   // what to do when the command is not found
	modes   map[frames.Access][]string
	options map[string]string // configuration options that must have a value
	keys    []authKey
	// rootSign is what an agent says that refuses to run as root.
	rootSign string
	// codexThoughts: summary and raw text arrive mixed, and again as a whole.
	codexThoughts bool
}

// authKey is a sign-in that needs nothing but a key in the environment.
type authKey struct{ variable, method string }

// presets is the one table of known agents.
var presets = []preset{
	{
		name:    "opencode",
		argv:    []string{"opencode", "acp"},
		env:     []string{`OPENCODE_PERMISSION={"edit":"ask","bash":"ask","webfetch":"ask"}`, "OPENCODE_DISABLE_AUTOUPDATE=1"},
		install: "npm install -g opencode-ai",
		modes:   modes("plan", "build", "build"),
	},
	{
		name:    "gemini",
		argv:    []string{"gemini", "--acp"},
		install: "npm install -g @google/gemini-cli",
		modes:   modes("plan", "default", "autoEdit default"),
		keys:    []authKey{{"GEMINI_API_KEY", "gemini-api-key"}},
	},
	{
		name:     "claude",
		argv:     []string{"claude-agent-acp"},
		install:  "npm install -g @zed-industries/claude-agent-acp",
		modes:    modes("plan", "default", "acceptEdits default"),
		rootSign: "Query closed before response received",
	},
	{
		name:    "codex-acp",
		argv:    []string{"codex-acp"},
		install: "npm install -g @zed-industries/codex-acp",
		// Its read-only mode asks for every edit, which is what Ask means.
		modes:         modes("read-only", "read-only", "auto read-only"),
		keys:          []authKey{{"CODEX_API_KEY", "codex-api-key"}, {"OPENAI_API_KEY", "openai-api-key"}},
		codexThoughts: true,
	},
	{
		name:    "copilot",
		argv:    []string{"copilot", "--acp"},
		install: "npm install -g @github/copilot",
		modes:   modes("plan", "agent", "agent"),
		options: map[string]string{"allow_all": "off"},
	},
	{
		name:    "qwen",
		argv:    []string{"qwen", "--acp"},
		install: "npm install -g @qwen-code/qwen-code",
		modes:   modes("plan", "default", "auto-edit default"),
		keys:    []authKey{{"OPENAI_API_KEY", "openai"}},
	},
}

// anyAgent is the preset of an agent without one.
var anyAgent = preset{
	modes: modes("read-only plan", "default build agent ask", "acceptEdits autoEdit auto-edit default build agent ask"),
}

// modes makes the table of an agent's modes, each a list with spaces.
func modes(readOnly, ask, auto string) map[frames.Access][]string {
	return map[frames.Access][]string{
		frames.AccessReadOnly:   strings.Fields(readOnly),
		frames.AccessAsk:        strings.Fields(ask),
		frames.AccessAutoReview: strings.Fields(auto),
	}
}

// Presets are the names of the agents that New knows without a command.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}

// Command returns the command of a preset, and what installs it.
func Command(name string) (argv []string, install string, ok bool) {
	p, ok := findPreset(name)
	return slices.Clone(p.argv), p.install, ok
}

// findPreset returns the preset of a name; false for one of the user's own.
func findPreset(name string) (preset, bool) {
	i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name })
	if i < 0 {
		return anyAgent, false
	}
	return presets[i], true
}

// neverAsks reports whether a mode is one in which an agent no longer asks.
// Such a mode is never chosen, and never left on.
func neverAsks(mode string) bool {
	mode = strings.ToLower(modeName(mode))
	for _, word := range []string{"yolo", "bypass", "full-access", "fullaccess", "full_access", "autopilot", "danger", "dontask", "allow-all", "allow_all"} {
		if strings.Contains(mode, word) {
			return true
		}
	}
	return false
}

// modeName is a mode without the address that Copilot puts before it.
func modeName(mode string) string {
	if i := strings.LastIndexByte(mode, '#'); i >= 0 {
		return mode[i+1:]
	}
	return mode
}
