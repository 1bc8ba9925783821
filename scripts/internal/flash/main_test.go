package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/image/flash"
)

// files are an image, and a card with something else on it.
func files(t *testing.T) (image, card string, want []byte) {
	t.Helper()
	dir := t.TempDir()
	want = bytes.Repeat([]byte("prompt64"), 1<<15)
	want[510], want[511] = 0x55, 0xaa
	image, card = filepath.Join(dir, "image"), filepath.Join(dir, "card")
	for path, content := range map[string][]byte{image: want, card: make([]byte, 1<<20)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return image, card, want
}

func TestCardIsErasedOnlyAfterItsNameWasTyped(t *testing.T) {
	image, card, want := files(t)
	for _, typed := range []string{"", "\n", "yes\n", "CARD\n", "image\n"} {
		var out, log bytes.Buffer
		err := run(context.Background(), []string{image, card}, strings.NewReader(typed), &out, &log)
		if !errors.Is(err, errNoConsent) || !strings.Contains(err.Error(), flash.Untouched.Words()) {
			t.Errorf("after %q: %v", typed, err)
		}
		if !strings.Contains(out.String(), "ERASES") || !strings.Contains(out.String(), card) {
			t.Errorf("it does not show what is erased: %s", &out)
		}
		if got, err := os.ReadFile(card); err != nil || !bytes.Equal(got, make([]byte, 1<<20)) {
			t.Errorf("after %q the card is another, %v", typed, err)
		}
	}
	var out, log bytes.Buffer
	if err := run(context.Background(), []string{image, card}, strings.NewReader("card\n"), &out, &log); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(card); err != nil || !bytes.Equal(got[:len(want)], want) || !strings.Contains(out.String(), flash.Good.Words()) {
		t.Errorf("%v, %s", err, &out)
	}
	if !strings.Contains(log.String(), "reading back: 100 %") {
		t.Errorf("the progress is %s", &log)
	}
}

func TestEveryEndSaysWhatTheCardIsWorth(t *testing.T) {
	image, card, _ := files(t)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		args []string
		want string
	}{
		"interrupted":   {cancelled, []string{"-yes", "card", image, card}, flash.Untouched.Words()},
		"no image":      {context.Background(), []string{"-yes", "card", image + "x", card}, flash.Untouched.Words()},
		"an old name":   {context.Background(), []string{"-yes", "sdb", image, card}, flash.Untouched.Words()},
		"no key":        {context.Background(), []string{"-yes", "card", "-wifi", "x", image, card}, flash.Untouched.Words()},
		"a bad name":    {context.Background(), []string{"-yes", "card", "-hostname", "my c64", image, card}, flash.Untouched.Words()},
		"no boot parts": {context.Background(), []string{"-yes", "card", "-hostname", "x", image, card}, "The image itself is fine"},
	} {
		var out, log bytes.Buffer
		err := run(c.ctx, c.args, strings.NewReader(""), &out, &log)
		if err == nil || !strings.Contains(err.Error()+out.String(), c.want) {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
	}
	if err := os.Truncate(card, 1000); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if err := run(context.Background(), []string{"-yes", "card", image, card}, strings.NewReader(""), &out, &log); err == nil || !strings.Contains(err.Error(), "too small") {
		t.Errorf("%v", err)
	}
}

func TestSecretsComeFromFilesOrQuestionsAndAreNotShown(t *testing.T) {
	image, card, _ := files(t)
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("moon-light-64\r\nsecond line"), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := parse([]string{"-wifi", "LAN", "-wifi-key-file", key, "-password", image, card}, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := newAsker(strings.NewReader("sun-light-64\n"), &out)
	if err := a.setup(&o); err != nil || o.setup.PSK != "moon-light-64" || o.setup.Password != "sun-light-64" {
		t.Errorf("%v, %q, %q", err, o.setup.PSK, o.setup.Password)
	}
	var log bytes.Buffer
	_ = run(context.Background(), []string{"-yes", "card", "-wifi", "LAN", "-wifi-key-file", key, image, card}, strings.NewReader(""), &out, &log)
	if strings.Contains(out.String()+log.String(), "moon") {
		t.Error("the key was shown")
	}
	for _, args := range [][]string{{}, {image}, {image, card, card}, {"-psk", "x", image, card}} {
		if _, err := parse(args, &bytes.Buffer{}); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestSlipInASecretIsFoundBeforeTheCardIsWritten(t *testing.T) {
	image, card, _ := files(t)
	for name, c := range map[string]struct {
		args  []string
		typed string
		want  string
	}{
		"short password": {[]string{"-password"}, "seven77\n", "8 to 128"},
		"no password":    {[]string{"-password"}, "\n", "is empty"},
		"short key":      {[]string{"-wifi", "LAN"}, "seven77\n", "8 to 63"},
		"long name":      {[]string{"-wifi", strings.Repeat("x", 33)}, "\n", "32 bytes"},
		"region":         {[]string{"-wifi", "LAN", "-region", "Germany"}, "\n", "two capital letters"},
		"hostname":       {[]string{"-hostname", "my pi"}, "", "hostname"},
	} {
		var out, log bytes.Buffer
		args := append([]string{image, card, "-yes", "card"}, c.args...) // as one adds to a command
		err := run(context.Background(), args, strings.NewReader(c.typed), &out, &log)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), flash.Untouched.Words()) || strings.Contains(err.Error(), "seven77") {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(card); err != nil || !bytes.Equal(got, make([]byte, 1<<20)) {
			t.Errorf("%s: the card is another, %v", name, err)
		}
	}
}

func TestSecretThatNobodySeesIsAskedForTwice(t *testing.T) {
	for _, c := range []struct {
		typed []string
		want  string
		ok    bool
	}{
		{[]string{"moon-light-64", "moon-light-64"}, "moon-light-64", true},
		{[]string{"moon-light-64", "moon-light-65"}, "", false},
		{[]string{""}, "", true}, // an open network
	} {
		a := newAsker(strings.NewReader(""), &bytes.Buffer{})
		left := c.typed
		a.hidden = func(string) (string, error) {
			word := left[0]
			left = left[1:]
			return word, nil
		}
		got, err := a.secret("", "Key: ")
		if (err == nil) != c.ok || c.ok && got != c.want || len(left) > 0 {
			t.Errorf("%q: %q, %v; %d were not asked for", c.typed, got, err, len(left))
		}
	}
}
