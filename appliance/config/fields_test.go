package config

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func TestWrongValueIsNamedWithWhatIsAllowed(t *testing.T) {
	long := strings.Repeat("x", 33)
	for _, c := range []struct{ text, field, value, allowed string }{
		{`{"version":2}`, "version", "2", "1 is allowed"},
		{`{"version":"1"}`, "version", `"1"`, "1 is allowed"},
		{`{"hostname":"my device"}`, "hostname", `"my device"`, "hyphens"},
		{`{"hostname":"-a"}`, "hostname", `"-a"`, "inner hyphens"},
		{`{"hostname":""}`, "hostname", `""`, "1 to 63"},
		{`{"hostname":5}`, "hostname", "5", "1 to 63"},
		{`{"hostname":{"password":"x"}}`, "hostname", "16 bytes", "1 to 63"},
		{`{"listen":":70000"}`, "listen", `":70000"`, "0 to 65535"},
		{`{"web":"localhost"}`, "web", `"localhost"`, "HOST:PORT"},
		{`{"provider":"nobody"}`, "provider", `"nobody"`, "one of demo, acp"},
		{`{"workspaces":"/etc"}`, "workspaces", `"/etc"`, "folders in /perm/root"},
		{`{"workspaces":"../../x"}`, "workspaces", `"../../x"`, "folders in /perm/root"},
		{`{"workspaces":"/perm/rooted"}`, "workspaces", `"/perm/rooted"`, "folders in /perm/root"},
		{`{"workspaces":"a\u0000b"}`, "workspaces", "a", "zero"},
		{`{"pairing":[]}`, "pairing", "2 bytes", "an object"},
		{`{"pairing":{"code":"ABCD2341"}}`, "pairing.code", "8 characters", "A-Z and 2-9"},
		{`{"pairing":{"code":7}}`, "pairing.code", "no text", "A-Z and 2-9"},
		{`{"pairing":{"allow":"all"}}`, "pairing.allow", `"all"`, "addresses and networks"},
		{`{"pairing":{"allow":["loopback","10.0.0.0/33"]}}`, "pairing.allow[1]", `"10.0.0.0/33"`, "addresses and networks"},
		{`{"pairing":{"allow":["c64.lan"]}}`, "pairing.allow[0]", `"c64.lan"`, "addresses and networks"},
		{`{"wifi":{"ssid":"a"}}`, "wifi", "12 bytes", "list"},
		{`{"wifi":[` + strings.Repeat(`{},`, 32) + `{}]}`, "wifi", "bytes", "up to 32"},
		{`{"wifi":["Home"]}`, "wifi[0]", "6 bytes", "an object"},
		{`{"wifi":[{"ssid":"` + long + `"}]}`, "wifi[0].ssid", long, "1 to 32 bytes"},
		{`{"wifi":[{"ssid":"` + strings.Repeat("ä", 17) + `"}]}`, "wifi[0].ssid", "ä", "1 to 32 bytes"},
		{`{"wifi":[{"ssid":"a"},{}]}`, "wifi[1].ssid", "none", "1 to 32 bytes"},
		{`{"wifi":[{"ssid":"a"},{"ssid":"a"}]}`, "wifi[1].ssid", `"a"`, "once"},
		{`{"wifi":[{"ssid":"a","psk":"seven77"}]}`, "wifi[0].psk", "[hidden], 7 characters", "8 to 63"},
		{`{"wifi":[{"ssid":"a","psk":"` + strings.Repeat("g", 64) + `"}]}`, "wifi[0].psk", "64 characters", "64 hexadecimal"},
		{`{"wifi":[{"ssid":"a","psk":"grüße grüße"}]}`, "wifi[0].psk", "11 characters", "without accents"},
		{`{"wifi":[{"ssid":"a","region":"de"}]}`, "wifi[0].region", `"de"`, "capital letters"},
		{`{"serial":{"port":"ttyUSB0"}}`, "serial.port", `"ttyUSB0"`, "below /dev"},
		{`{"serial":{"port":"/dev/../etc/passwd"}}`, "serial.port", "passwd", "below /dev"},
		{`{"serial":{"baud":1200}}`, "serial.baud", "1200", "2400, 4800"},
		{`{"serial":{"baud":"38400"}}`, "serial.baud", `"38400"`, "38400"},
		{`{"defaults":{"access":"full"}}`, "defaults.access", `"full"`, "read-only, ask, auto-review"},
		{`{"defaults":{"reasoning":1}}`, "defaults.reasoning", "1", "off, summary"},
		{`{"defaults":{"palette":"yes"}}`, "defaults.palette", `"yes"`, "true or false"},
		{`{"password":"short"}`, "password", "[hidden], 5 characters", "8 to 128"},
		{`{"secrets":"../../etc/shadow"}`, "secrets", "shadow", "beside this one"},
	} {
		o := Options{Dir: "/perm/root/p64", Root: "/perm/root", Providers: []string{"demo", "acp"}}
		_, err := read(&reader{options: o}, []byte(c.text), Default())
		var bad Invalid
		if !errors.As(err, &bad) || len(bad) != 1 {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if f := bad[0]; f.Field != c.field || !strings.Contains(f.Value, c.value) || !strings.Contains(f.Allowed, c.allowed) {
			t.Errorf("%s:\n got %#v\nwant %s, %s, %s", c.text, f, c.field, c.value, c.allowed)
		}
	}
}

func TestEveryWrongFieldIsTold(t *testing.T) {
	_, err := read(&reader{}, []byte(`{"version":3,"hostname":"_","serial":{"baud":1},"wifi":[{"ssid":"","psk":"x"}]}`), Default())
	for _, field := range []string{"version: 3", "hostname: ", "serial.baud: 1", "wifi[0].ssid", "wifi[0].psk"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not in %v", field, err)
		}
	}
}

func TestValueAtTheEdgeOfWhatIsAllowedPasses(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"version":1,"hostname":"` + strings.Repeat("a", 63) + `"}`,
		`{"listen":":0","web":"[::1]:65535"}`, `{"workspaces":"/perm/root"}`, `{"workspaces":"a/../b"}`,
		`{"wifi":[{"ssid":"` + strings.Repeat("ä", 16) + `","psk":"12345678","region":"00"},{"ssid":"b","psk":"` + strings.Repeat("Af", 32) + `"}]}`,
		`{"wifi":[{"ssid":"` + strings.Repeat("b", 32) + `","psk":"` + strings.Repeat("~", 63) + `"}]}`,
		`{"pairing":{"code":"","allow":[]}}`, `{"pairing":{"allow":["fe80::1%eth0","::ffff:1.2.3.4","2001:db8::/32"]}}`,
		`{"hostname":null,"wifi":null,"pairing":null}`, `{"serial":{"baud":115200,"port":"/dev/serial/by-id/x"}}`,
		`{"password":"12345678","secrets":"secrets-0123456789abcdef0123456789abcdef.json"}`,
	} {
		o := Options{Dir: "/perm/root/p64", Root: "/perm/root"}
		if _, err := read(&reader{options: o}, []byte(text), Default()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWordsOfTheFileAreTheProtocolsNumbers(t *testing.T) {
	for i, word := range accessWords {
		if frames.Access(i).String() != strings.ReplaceAll(word, "-", " ") {
			t.Errorf("access %d is %q, not %q", i, frames.Access(i), word)
		}
	}
	for i, word := range reasoningWords {
		if frames.Reasoning(i).String() != word {
			t.Errorf("reasoning %d is %q, not %q", i, frames.Reasoning(i), word)
		}
	}
	s, err := read(&reader{}, []byte(`{"defaults":{"access":"auto-review","reasoning":"off","palette":true}}`), Default())
	if err != nil || s.Defaults.Access != frames.AccessAutoReview || s.Defaults.Reasoning != frames.ReasoningOff || !s.Defaults.Palette {
		t.Errorf("%+v, %v", s.Defaults, err)
	}
}

func TestDefaultsAreAllowedAndClosed(t *testing.T) {
	d := Default()
	if err := Validate(d, Options{Dir: "/x"}); err != nil {
		t.Error(err)
	}
	for _, p := range d.Pairing.Prefixes() {
		if !p.Addr().IsLoopback() {
			t.Errorf("by default %s gets in", p)
		}
	}
	if !d.Pairing.Code.Empty() || !d.Password.Empty() {
		t.Error("there is a secret that everybody knows")
	}
}

func TestSettingsThatNoFileCouldSayAreRefused(t *testing.T) {
	for field, change := range map[string]func(*Settings){
		"defaults.access": func(s *Settings) { s.Defaults.Access = 9 },
		"serial.baud":     func(s *Settings) { s.Serial.Baud = 0 },
		"wifi[0].ssid":    func(s *Settings) { s.Wifi = []Network{{}} },
		"wifi[0].psk":     func(s *Settings) { s.Wifi = []Network{{SSID: "a", PSK: NewSecret("short")}} },
	} {
		s := Default()
		change(&s)
		var bad Invalid
		if err := Validate(s, Options{}); !errors.As(err, &bad) || bad[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestAllowListSpeaksOfNetworks(t *testing.T) {
	p := Pairing{Allow: []string{"loopback", "192.168.1.7", "10.0.0.0/8", "::ffff:1.2.3.4", "fe80::1%eth0"}}
	text, _ := json.Marshal(p.Prefixes())
	if want := `["127.0.0.0/8","::1/128","192.168.1.7/32","10.0.0.0/8","1.2.3.4/32","fe80::1/128"]`; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
