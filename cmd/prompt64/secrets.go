package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/support"
)

// secretsFileSize bounds what is read of a file with secrets.
const secretsFileSize = 1 << 20

// knowSecrets tells the log what must not stand in it.
func (a *app) knowSecrets(s config.Settings) {
	if a.options.kept == nil {
		return
	}
	secrets := []string{s.Pairing.Code.Reveal(), a.options.pairing.code}
	for _, n := range s.Wifi {
		secrets = append(secrets, n.PSK.Reveal())
	}
	a.options.kept.redact.Know("settings", secrets)
}

// makeLog tells the log of the secrets, and keeps it on a device's card.
func (a *app) makeLog() {
	if a.options.kept == nil {
		return
	}
	a.knowSecrets(a.settings.Settings())
	a.options.kept.redact.Know("agent", a.agentSecrets())
	if !a.options.device {
		return
	}
	a.disk = support.NewDisk(a.logsFolder(), a.options.kept.Log, a.log.With("part", "log"), supervisor.Pet)
	crashed, err := a.disk.CatchCrashes()
	if err != nil {
		a.log.Error("the last words of a crash will not be kept", "err", err)
	}
	if crashed {
		a.log.Error("the bridge crashed before this start")
		a.troubles = append(a.troubles, "the bridge crashed and was started again; a support bundle says more")
	}
}

// logsFolder is where a device keeps its log.
func (a *app) logsFolder() string { return filepath.Join(a.data.path, "logs") }

// diskPart keeps the log on the card.
func (a *app) diskPart() supervisor.Part {
	if a.disk == nil {
		return supervisor.Part{}
	}
	return supervisor.Part{Name: a.disk.String(), Deadline: supervisor.DefaultDeadline * 4, Service: a.disk}
}

// agentSecrets are the keys that the agent's sign-in left, and the one for an
// agent elsewhere.
func (a *app) agentSecrets() []string {
	o := a.options.agent.codexOptions
	home := o.home
	if home == "" {
		home = filepath.Join(a.options.data, "codex")
	}
	var secrets []string
	if o.tokenFile != "" {
		secrets = append(secrets, strings.TrimSpace(string(readStart(o.tokenFile))))
	}
	var file any
	if json.Unmarshal(readStart(filepath.Join(home, "auth.json")), &file) == nil {
		secrets = append(secrets, texts(file)...)
	}
	return secrets
}

// texts are all longer texts in a JSON value: what is short is a word and no key.
func texts(value any) (out []string) {
	const key = 16
	switch v := value.(type) {
	case string:
		if len(v) >= key {
			return []string{v}
		}
	case []any:
		for _, x := range v {
			out = append(out, texts(x)...)
		}
	case map[string]any:
		for _, x := range v {
			out = append(out, texts(x)...)
		}
	}
	return out
}

// readStart reads a file as far as it is of a sensible size; nothing where that
// fails.
func readStart(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > secretsFileSize {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}
