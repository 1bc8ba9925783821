package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// MaxNetworks is how many Wi-Fi networks fit.
const MaxNetworks = 32

// settingsFields is config.json.
var settingsFields = schema[Settings]{
	versionField(),
	textField("hostname", about{"text", "prompt64", hostnameRule,
		"the device's name in the network; `.local` is put behind it"},
		func(s *Settings) *string { return &s.Hostname }, checkHostname),
	textField("listen", about{"text", "what the command line says", addressRule,
		"where the bridge waits for C64s"},
		func(s *Settings) *string { return &s.Listen }, checkAddress),
	textField("web", about{"text", "what the command line says", addressRule,
		"where the pages are served"},
		func(s *Settings) *string { return &s.Web }, checkAddress),
	textField("provider", about{"text", "the first that the bridge knows", "the name of an agent that this bridge knows",
		"the agent"},
		func(s *Settings) *string { return &s.Provider }, checkProvider),
	textField("workspaces", about{"text", "`workspaces` in the data folder", "a folder below the root that the program sets",
		"the folder that holds the workspaces; one that is not absolute is below the data folder"},
		func(s *Settings) *string { return &s.Workspaces }, checkFolder),
	objectField("pairing", "who may drive the agent", pairingFields,
		func(s *Settings) *Pairing { return &s.Pairing }, func(p *Pairing) *[]member { return &p.extra }),
	wifiField(),
	objectField("serial", "the serial line to a C64", serialFields,
		func(s *Settings) *Serial { return &s.Serial }, func(s *Serial) *[]member { return &s.extra }),
	objectField("defaults", "what a fresh session on a C64 starts with", defaultsFields,
		func(s *Settings) *Defaults { return &s.Defaults }, func(d *Defaults) *[]member { return &d.extra }),
	passwordField(),
	secretsField(),
}

var pairingFields = schema[Pairing]{
	secretField("code", about{"secret", "none: nobody is paired by code", codeRule,
		"the code that a C64 must send unless its address is in `allow`"},
		func(p *Pairing) *Secret { return &p.Code }, checkCode),
	allowField(),
}

var serialFields = schema[Serial]{
	textField("port", about{"text", "none: no serial line", portRule, "the serial adapter"},
		func(s *Serial) *string { return &s.Port }, checkPort),
	numberField("baud", about{"number", "38400", "one of " + numbers(bauds) + " is allowed", "bits a second"},
		func(s *Serial) *int { return &s.Baud }, func(n int) bool { return slices.Contains(bauds, n) }),
}

var defaultsFields = schema[Defaults]{
	choiceField("access", about{"text", "ask", oneOf(accessWords), "what the agent may do without asking"},
		accessWords, func(d *Defaults) *frameAccess { return &d.Access }),
	choiceField("reasoning", about{"text", "summary", oneOf(reasoningWords), "how much of the agent's reasoning is shown"},
		reasoningWords, func(d *Defaults) *frameReasoning { return &d.Reasoning }),
	boolField("palette", about{"true or false", "false", "true or false is allowed", "show the PETSCII graphic palette"},
		func(d *Defaults) *bool { return &d.Palette }),
}

func versionField() field[Settings] {
	a := about{"number", "1, with a warning", "1 is allowed: this program reads no other version", "the version of the file"}
	return field[Settings]{"version", a,
		func(r *reader, at string, raw json.RawMessage, _ *Settings) {
			r.version = true
			if string(raw) != strconv.Itoa(Version) {
				r.wrong(at, shown(string(raw)), a.allowed)
			}
		},
		func(Settings, view) json.RawMessage { return json.RawMessage(strconv.Itoa(Version)) }}
}

func passwordField() field[Settings] {
	a := about{"secret", "none", fmt.Sprintf("%d to %d characters are allowed", minPassword, maxPassword),
		"the password of the pages, in plain: it is taken over as a digest, and leaves the file"}
	return secretField("password", a, func(*Settings) *Secret { return new(Secret) },
		func(r *reader, text string) error {
			if err := checkPassword(text); err != nil {
				return err
			}
			r.password = NewSecret(text)
			return nil
		})
}

func secretsField() field[Settings] {
	a := about{"text", "none", "the name of a file beside this one, as the program wrote it",
		"written by the program: the file that holds the password's digest, the keys and the code"}
	return field[Settings]{"secrets", a,
		func(r *reader, at string, raw json.RawMessage, _ *Settings) {
			if json.Unmarshal(raw, &r.secrets) != nil || !isSecretsFile(r.secrets) {
				r.wrong(at, shown(string(raw)), a.allowed)
			}
		},
		func(_ Settings, w view) json.RawMessage {
			if w.file == "" {
				return nil
			}
			return quote(w.file)
		}}
}
