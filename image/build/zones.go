package build

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// addZones adds the time zones that come with Go: they are those of the compiler's
// version, on every computer.
func (r *rootFiles) addZones() error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("ask for Go's folder: %w", err)
	}
	name := filepath.Join(strings.TrimSpace(string(out)), "lib", "time", "zoneinfo.zip")
	z, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("time zones: %w (Go from go.dev has this file, a distribution's Go may not)", err)
	}
	defer z.Close()
	for _, entry := range z.File {
		if entry.FileInfo().IsDir() {
			continue
		}
		text, err := readZone(entry)
		if err != nil {
			return fmt.Errorf("time zone %s: %w", entry.Name, err)
		}
		r.files["usr/share/zoneinfo/"+entry.Name] = file{mode: 0o644, text: text}
		if entry.Name == "UTC" {
			r.utc = text
		}
	}
	if r.utc == nil {
		return errors.New("time zones: there is no UTC")
	}
	return nil
}

func readZone(entry *zip.File) ([]byte, error) {
	f, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
