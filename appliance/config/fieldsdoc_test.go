package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write FIELDS.md anew")

const fieldsHead = `# config.json, field by field

The settings of a bridge: ` + "`config.json`" + ` in the data folder (` + "`/perm/prompt64`" + ` on the
device). The pages write it; an owner may write it by hand while the bridge does
not run, or put it as ` + "`prompt64.json`" + ` on the device's boot partition: there it is
read over the settings in force at the next start, and removed. Fields that it
does not name stay as they are. A file ` + "`prompt64-reset`" + ` there restores the factory
state. UTF-8 JSON of at most 256 KiB.

Secrets may be written into the file: the program moves them into a file of their
own (` + "`secrets-...json`" + `, for the owner's eyes only), and the password becomes a
digest. Unknown fields are kept, and do nothing. ` + "`null`" + ` is as good as no field.

What the command line says wins over the file.

`

// section documents the fields of one object.
func section[T any](b *strings.Builder, title, prefix string, of schema[T]) {
	fmt.Fprintf(b, "## %s\n\n| field | kind | what it is | allowed | where missing |\n| --- | --- | --- | --- | --- |\n", title)
	for _, f := range of {
		allowed := strings.TrimSuffix(strings.Replace(strings.Replace(f.allowed, " are allowed", "", 1), " is allowed", "", 1), ",")
		if f.kind == "object" {
			allowed = "see below"
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s | %s | %s |\n", prefix, f.name, f.kind, f.meaning, allowed, f.standard)
	}
	b.WriteByte('\n')
}

func fieldsDoc() string {
	var b strings.Builder
	b.WriteString(fieldsHead)
	section(&b, "The file", "", settingsFields)
	section(&b, "Pairing", "pairing.", pairingFields)
	section(&b, "A Wi-Fi network", "wifi[].", networkFields)
	section(&b, "The serial line", "serial.", serialFields)
	section(&b, "Defaults of a session", "defaults.", defaultsFields)
	b.WriteString("## An example\n\n```json\n" + example + "```\n")
	return b.String()
}

const example = `{
  "version": 1,
  "hostname": "prompt64",
  "password": "at least eight characters",
  "wifi": [
    { "ssid": "Home", "psk": "the network's key", "region": "DE" }
  ],
  "pairing": { "code": "ABCD2345", "allow": ["192.168.1.0/24"] }
}
`

func TestEveryFieldIsDocumented(t *testing.T) {
	want := fieldsDoc()
	if *update {
		if err := os.WriteFile("FIELDS.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("FIELDS.md")
	if err != nil || string(got) != want {
		t.Errorf("FIELDS.md is not what the fields are (%v): run go test -run %s -update", err, t.Name())
	}
	if strings.Contains(want, "|  |") && strings.Count(want, "|  |") > strings.Count(want, "| object |") {
		t.Error("a field has no words")
	}
}

func TestExampleOfTheDocumentIsAllowed(t *testing.T) {
	r := &reader{options: Options{Dir: "/perm"}}
	s, err := read(r, []byte(example), Default())
	if err != nil || len(r.warnings(s)) > 0 {
		t.Errorf("%v, %q", err, r.warnings(s))
	}
}
