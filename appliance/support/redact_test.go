package support

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestKnownSecretsAreHiddenInEveryShape(t *testing.T) {
	secret := `Pa"ss\w&rd <ü> 7`
	var r Redactor
	r.Know("settings", []string{secret, "short", "abc"})
	for name, text := range map[string]string{
		"plain":  "the key is " + secret + ".",
		"quoted": fmt.Sprintf("err=%q", "bad key "+secret),
		"twice":  fmt.Sprintf("err=%q", fmt.Sprintf("bad key %q", secret)),
		"query":  "GET /?q=" + url.QueryEscape(secret),
		"path":   "GET /" + url.PathEscape(secret),
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)),
		"JSON":   func() string { b, _ := json.Marshal(map[string]string{"x": secret}); return string(b) }(),
		"upper":  strings.ToUpper(secret),
	} {
		got := r.Clean(text)
		if !strings.Contains(got, Hidden) || strings.Contains(got, "w&rd") || strings.Contains(got, "W&RD") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := r.Clean("abc"); got != "abc" {
		t.Errorf("what is too short to be found was hidden: %q", got)
	}
}

func TestFormerSecretsStayHidden(t *testing.T) {
	var r Redactor
	r.Know("settings", []string{"first-code"})
	r.Know("settings", []string{"second-code"})
	r.Know("agent", []string{"third-code-first-code"})
	if got := r.Clean("first-code second-code third-code-first-code"); got != strings.Join([]string{Hidden, Hidden, Hidden}, " ") {
		t.Errorf("%q", got)
	}
}

func TestSecretsAreKnownByTheirLooks(t *testing.T) {
	var r Redactor
	for _, text := range []string{
		"Authorization: Bearer HUSH.hush-hush",
		`{"Authorization":"Basic aHVzaDpIVVNIHUSH"}`,
		`headers="map[Authorization:[Bearer HUSH] X:[y]]"`,
		"Set-Cookie: prompt64=HUSH; HttpOnly",
		"x-password: HUSH",
		"dial wss://user:HUSH@example.com/x",
		"http://example.com/?a=b&token=HUSH&c=d",
		"sk-proj-HUSH0123456789",
		"ghp_HUSH0123456789abcdefghij",
		"eyJhbGciOiJIUZUSH.eyJHUSH123456.HUSH",
		"$argon2id$v=19$m=65536,t=1,p=4$HUSH$HUSH",
		"enter HUSH-12345 in a browser",
		"password=HUSH",
		`"psk": "HUSH and more"`,
		`msg="x \"access_token\":\"HUSH\""`,
		"OPENAI_API_KEY=HUSH",
		"api-key: HUSH",
		"pairing code: HUSH",
		"user_code='HUSH'",
		"refreshToken=HUSH,next",
		"-----BEGIN EC PRIVATE KEY-----\nHUSH\nHUSH\n-----END EC PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\nHUSH cut",
	} {
		if got := r.Clean(text); strings.Contains(got, "HUSH") || !strings.Contains(got, Hidden) {
			t.Errorf("%s\nbecame %s", text, got)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	var r Redactor
	for _, text := range []string{
		`time=2026-11-30T18:00:00.000Z level=INFO msg="turn ends" part=lease lease=1 end=0 sequence=12`,
		"context: 37% of 272000 tokens, max_tokens=4096",
		"exit code=1 at http://192.168.1.64/setup?tab=2",
		"the password is wrong", "no pairing code",
		"2026-11-30 18:42 UTC", "a1b2c3d4-e5f6-7890-abcd-ef0123456789",
		`"token": null, "secret": "", "password": false`,
	} {
		if got := r.Clean(text); got != text {
			t.Errorf("%s\nbecame %s", text, got)
		}
	}
}

func TestCleaningTwiceIsCleaningOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var r Redactor
		r.Know("x", rapid.SliceOfN(rapid.StringN(0, 12, 30), 0, 3).Draw(rt, "secrets"))
		text := rapid.StringOf(rapid.SampledFrom([]rune(`ab=:" \'token password&?@/-[]{}`))).Draw(rt, "text")
		once := r.Clean(text)
		if twice := r.Clean(once); twice != once && !strings.Contains(once, Hidden) {
			rt.Fatalf("%q, then %q", once, twice)
		}
	})
}
