package support

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Part is one file of a bundle.
type Part struct {
	Name string // of the file
	Says string // what it is, for the file of contents
	// Make returns its text. It may be slow, and returns soon after ctx is done.
	Make func(ctx context.Context) (string, error)
}

// Bundle writes a zip of parts, each without secrets, and of a file that says what
// is in it. An error is one of w's: a part that fails says why in its own place.
func Bundle(ctx context.Context, w io.Writer, redact *Redactor, at time.Time, parts []Part) error {
	z := zip.NewWriter(w)
	add := func(name, text string) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: "prompt64/" + name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		_, err = io.WriteString(f, redact.Clean(text))
		return err
	}
	if err := add("README.txt", contents(at, parts)); err != nil {
		return fmt.Errorf("support bundle: %w", err)
	}
	for _, p := range parts {
		text, err := p.make(ctx)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			text = "(there is none)\n"
		case err != nil:
			text = cut(text) + "\n(this part could not be made: " + err.Error() + ")\n"
		}
		if err := add(p.Name, cut(text)); err != nil {
			return fmt.Errorf("support bundle: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("support bundle: %w", err)
	}
	return nil
}

// make calls Make and survives it.
func (p Part) make(ctx context.Context) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it broke: %v", r)
		}
	}()
	return p.Make(ctx)
}

func contents(at time.Time, parts []Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A support bundle of Prompt64, made on %s.\n\n", at.UTC().Format("2006-01-02 15:04 UTC"))
	b.WriteString("Passwords, keys and codes that the bridge knows, and what looks like one, stand\n" +
		"in it as " + Hidden + ". Names of networks, folders and addresses are in it: look it\n" +
		"through before you send it.\n\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "%-22s %s\n", p.Name, p.Says)
	}
	return b.String()
}

// cut keeps the end of a text that is too long: the newest is there.
func cut(text string) string {
	if len(text) <= partSize {
		return text
	}
	return "(the beginning is cut)\n" + strings.ToValidUTF8(text[len(text)-partSize:], "")
}

// LogPart is the log in memory.
func LogPart(l *Log) Part {
	return Part{"log.txt", "the last lines of the log", func(context.Context) (string, error) {
		lines, _, missed := l.Lines(0, -1<<10)
		var b strings.Builder
		if missed > 0 {
			fmt.Fprintf(&b, "(%d lines before are not kept)\n", missed)
		}
		for _, line := range lines {
			b.WriteString(line.Text + "\n")
		}
		return b.String(), nil
	}}
}

// FilePart is a file, or its end where it is long.
func FilePart(name, says, path string) Part {
	return Part{name, says, func(context.Context) (string, error) { return tail(path, partSize) }}
}

// FolderParts are the files of a Disk's folder that are there now.
func FolderParts(dir string) []Part {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // there is none, as on a workstation
	}
	var parts []Part
	for _, e := range entries {
		if e.Type().IsRegular() && slices.Contains([]string{".log", ".txt"}, filepath.Ext(e.Name())) {
			parts = append(parts, FilePart("kept/"+e.Name(), "kept on the card", filepath.Join(dir, e.Name())))
		}
	}
	return parts
}

// tail reads the last n bytes of a file.
func tail(path string, n int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if _, err := f.Seek(max(0, info.Size()-n), io.SeekStart); err != nil {
		return "", err
	}
	var b bytes.Buffer
	_, err = io.Copy(&b, io.LimitReader(f, n))
	return b.String(), err
}
