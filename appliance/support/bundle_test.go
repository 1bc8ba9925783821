package support

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// unzip reads a bundle.
func unzip(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

func TestBundleHoldsEveryPartWithoutSecrets(t *testing.T) {
	var r Redactor
	r.Know("x", []string{"ABCD2345"})
	l := NewLog(io.Discard, &r)
	slog.New(l.Handler(slog.LevelInfo)).Info("hello")
	dir := t.TempDir()
	for name, text := range map[string]string{"warnings.log": "code ABCD2345", "crash-1.txt": "panic", "other.bin": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parts := append([]Part{
		LogPart(l),
		{"good.txt", "a good part", func(context.Context) (string, error) { return "all ABCD2345 well", nil }},
		{"bad.txt", "a bad part", func(context.Context) (string, error) { return "some", errors.New("no disk for ABCD2345") }},
		{"ugly.txt", "one that breaks", func(context.Context) (string, error) { panic("ouch") }},
		{"long.txt", "a long one", func(context.Context) (string, error) { return strings.Repeat("€", partSize) + "end", nil }},
		FilePart("gone.json", "not there", filepath.Join(dir, "gone")),
	}, FolderParts(dir)...)
	var out bytes.Buffer
	if err := Bundle(t.Context(), &out, &r, time.Unix(1<<31, 0), parts); err != nil {
		t.Fatal(err)
	}
	files := unzip(t, out.Bytes())
	for name, want := range map[string]string{
		"README.txt":        "a bad part",
		"log.txt":           "msg=hello",
		"good.txt":          "all " + Hidden + " well",
		"bad.txt":           "some\n(this part could not be made: no disk for " + Hidden,
		"ugly.txt":          "it broke: ouch",
		"long.txt":          "€end",
		"gone.json":         "(there is none)",
		"kept/warnings.log": "code " + Hidden,
		"kept/crash-1.txt":  "panic",
	} {
		if got, ok := files["prompt64/"+name]; !ok || !strings.Contains(got, want) {
			t.Errorf("%s lacks %q: %.200s", name, want, got)
		}
	}
	if len(files) != len(parts)+1 {
		t.Errorf("%d files of %d parts", len(files), len(parts))
	}
	for name, text := range files {
		if strings.Contains(text, "ABCD2345") || len(text) > partSize+100 {
			t.Errorf("%s: %d bytes, %.100s", name, len(text), text)
		}
	}
}

func TestBundleEndsWhenItsReaderIsGone(t *testing.T) {
	w := &broken{}
	err := Bundle(t.Context(), w, &Redactor{}, time.Now(), []Part{LogPart(NewLog(io.Discard, &Redactor{}))})
	if err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("it returned %v", err)
	}
}

type broken struct{}

func (*broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestFolderThatIsNotThereHasNoParts(t *testing.T) {
	if parts := FolderParts(filepath.Join(t.TempDir(), "x")); len(parts) != 0 {
		t.Errorf("parts: %+v", parts)
	}
}

func TestEndOfALongFileIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := tail(path, 4); err != nil || got != "6789" {
		t.Errorf("%q, %v", got, err)
	}
}
