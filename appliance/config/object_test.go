package config

import (
	"strings"
	"testing"
)

func TestObjectKeepsOrderAndSpelling(t *testing.T) {
	const text = `{"b":1e999,"a":[1, {"x":null}],"ü":"\u0041<&>"}`
	got, err := members([]byte(" " + text + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if string(object(got)) != text {
		t.Errorf("%s became %s", text, object(got))
	}
}

func TestTextThatIsNoObjectIsRefusedWithAPlace(t *testing.T) {
	for text, words := range map[string]string{
		`[]`:                                 "begin with {",
		`7`:                                  "begin with {",
		`{"a":1,"a":2}`:                      `"a" is there twice`,
		`{"a":1`:                             "ends too early",
		`{"a":`:                              "ends too early",
		`{"a":1} {}`:                         "follows",
		`{"a":1}x`:                           "follows",
		`{"a":tru}`:                          "no JSON at byte",
		`{a:1}`:                              "no JSON at byte",
		`{"psk":"secret\q"}`:                 "no JSON at byte",
		`{"a" 1}`:                            "no JSON at byte",
		`{"a":1,}`:                           "no JSON at byte",
		"\x00\x00\x00\x00":                   "no JSON at byte",
		strings.Repeat("[", 20000):           "begin with {",
		`{"a":` + strings.Repeat("[", 20000): "no JSON at byte",
	} {
		got, err := members([]byte(text))
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.30q: %v, %v", text, got, err)
		}
	}
}

func TestFileOfAWindowsEditorIsReadOrExplained(t *testing.T) {
	for data, words := range map[string]string{
		"\xEF\xBB\xBF{\"version\":1}\r\n": "",
		"\xFF\xFE{\x00}\x00":              "save it as UTF-8",
		"\xFE\xFF\x00{\x00}":              "save it as UTF-8",
		"{\"a\":\"\xE4\"}":                "no UTF-8",
		"":                                "empty",
		" \r\n\t":                         "empty",
		"\xEF\xBB\xBF":                    "empty",
	} {
		_, err := read(&reader{}, []byte(data), Default())
		if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
