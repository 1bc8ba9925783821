package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

const receiptName = "receipt.json"

// maxReceipt bounds what is read of a receipt.
const maxReceipt = 1 << 20

// receipt tells what a version consists of and where it came from.
type receipt struct {
	Agent     string        `json:"agent"`
	Version   string        `json:"version"`
	Archive   string        `json:"archive_sha256"`
	Installed time.Time     `json:"installed"`
	Files     []receiptFile `json:"files"`
}

type receiptFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (r receipt) encode() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }

// readReceipt reads the receipt of the version in dir.
func readReceipt(dir string) (receipt, error) {
	var r receipt
	path := filepath.Join(dir, receiptName)
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxReceipt {
		err = errors.New("it is too large")
	}
	if err != nil {
		return r, fmt.Errorf("read receipt: %w", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r, fmt.Errorf("read receipt: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("read receipt %s: %w", path, err)
	}
	return r, nil
}

// damage compares the files in dir with the receipt and returns what is wrong in
// words, empty if nothing is.
func (r receipt) damage(dir string) string {
	var bad []string
	for _, f := range r.Files {
		if words := f.damage(dir); words != "" {
			bad = append(bad, f.Name+" "+words)
		}
	}
	return strings.Join(bad, ", ")
}

func (f receiptFile) damage(dir string) string {
	if !filepath.IsLocal(f.Name) {
		return "is no file of this version"
	}
	file, err := os.Open(filepath.Join(dir, f.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing"
	case err != nil:
		return "cannot be read: " + err.Error()
	}
	defer file.Close()
	if sum, n, err := fetch.Sum(file); err != nil || n != f.Bytes || sum.String() != f.SHA256 {
		return "is not as it was installed"
	}
	return ""
}
