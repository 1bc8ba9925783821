package config

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const treasure = "hunter2hunter2"

func TestSecretNeverShowsItself(t *testing.T) {
	type holder struct {
		Open   Secret
		closed Secret
		deep   []map[string]*Secret
	}
	s := NewSecret(treasure)
	h := holder{s, s, []map[string]*Secret{{"x": &s}}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		fmt.Fprintf(&out, verb+verb+verb+verb, s, &s, h, &h)
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("log", "secret", s, "pointer", &s, "holder", h, slog.Group("g", "s", s))
	}
	for _, v := range []any{s, &s, h, map[string]any{"s": s}, []Secret{s}} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	text, err := xml.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	out.WriteString(errors.Join(fmt.Errorf("wrap %v", s)).Error())
	if strings.Contains(out.String(), treasure) || strings.Contains(out.String(), fmt.Sprintf("%x", treasure)) {
		t.Errorf("it shows: %s", out.String())
	}
	if !strings.Contains(out.String(), hidden) {
		t.Errorf("nothing tells that there is a secret: %s", out.String())
	}
	if s.Reveal() != treasure {
		t.Errorf("Reveal gives %q", s.Reveal())
	}
}

func TestSecretsCompareByText(t *testing.T) {
	if !NewSecret("a").Equal(NewSecret("a")) || NewSecret("a").Equal(NewSecret("b")) || !(Secret{}).Equal(NewSecret("")) {
		t.Error("Equal does not compare texts")
	}
	if !NewSecret("").Empty() || NewSecret("a").Empty() || (Secret{}).String() != "" {
		t.Error("an empty secret is not told from one that is there")
	}
}

// What is meant for logs and bundles hides even what was misspelt.
func TestSettingsShowNoSecretAnywhere(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, configName, `{"version":1, "pasword":"`+treasure+`", "wifi":[{"ssid":"Home","psk":"`+treasure+`","key":"`+treasure+`"}],
		"pairing":{"code":"HUNTERZZ","cod":"`+treasure+`"}, "password":"`+treasure+`"}`)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	s := Open(Options{Dir: dir, Log: log})
	log.Info("settings", "all", s.Settings())
	fmt.Fprintf(&out, "%v %+v %v", s.Settings(), s.Settings(), s.State())
	text, err := json.Marshal(s.Settings())
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	for _, word := range []string{treasure, "HUNTERZZ"} {
		if strings.Contains(out.String(), word) {
			t.Errorf("%s shows in %s", word, out.String())
		}
	}
	if !strings.Contains(string(text), `"ssid":"Home"`) || !strings.Contains(string(text), hidden) {
		t.Errorf("the bundle's settings say too little: %s", text)
	}
	for _, name := range []string{configName, lastGoodName} {
		if strings.Contains(get(t, dir, name), "HUNTERZZ") || strings.Contains(get(t, dir, name), `"psk"`) {
			t.Errorf("%s still has secrets: %s", name, get(t, dir, name))
		}
	}
}
