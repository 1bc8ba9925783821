package build

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"time"
)

// AgentID is the number of the user "agent", who has no rights but to his folders.
const AgentID = 1000

// passwd and group name the users of the device. The packer makes neither; git and
// programs that ask for their user want them.
const (
	passwd = "root:x:0:0:root:/perm/home:/bin/sh\nagent:x:1000:1000:the coding agent:/perm/agent:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n"
	group  = "root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n"
)

// gitConfig lets the agent commit; a repository's own settings win over it.
const gitConfig = "[user]\n\tname = Prompt64\n\temail = agent@prompt64.local\n[init]\n\tdefaultBranch = main\n"

// file is one of the extra files: a text, or a copy of a file, or a link.
type file struct {
	mode fs.FileMode
	text []byte
	from string // on this computer; empty: text
	link string
}

// rootFiles are the extra files of the root partition, by their names.
type rootFiles struct {
	files    map[string]file
	missing  []string
	packages []component // of Debian
	utc      []byte      // the time zone of the device's programs until told otherwise
}

// collect gathers everything.
func collect(ctx context.Context, o Options, date time.Time) (*rootFiles, error) {
	r := &rootFiles{files: map[string]file{}}
	r.text("etc/passwd", passwd)
	r.text("etc/group", group)
	r.text("etc/gitconfig", gitConfig)
	if err := errors.Join(r.addZones(), r.addAbout(ctx, o, date)); err != nil {
		return nil, err
	}
	if o.Tools {
		if err := r.addTools(ctx, o); err != nil {
			return nil, fmt.Errorf("collect the agent's tools: %w", err)
		}
	}
	if o.Board.Radio {
		if err := r.addFirmware(ctx, o); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *rootFiles) text(name, text string) { r.files[name] = file{mode: 0o644, text: []byte(text)} }

// write writes the archive that the packer reads: sorted, of root, and dated.
func (r *rootFiles) write(to string, date time.Time) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	w := tar.NewWriter(f)
	made := map[string]bool{".": true}
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if err := writeFolders(w, path.Dir(name), made, date); err != nil {
			return err
		}
		if err := writeFile(w, name, r.files[name], date); err != nil {
			return fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}

func writeFolders(w *tar.Writer, dir string, made map[string]bool, date time.Time) error {
	if made[dir] {
		return nil
	}
	if err := writeFolders(w, path.Dir(dir), made, date); err != nil {
		return err
	}
	made[dir] = true
	return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: date})
}

func writeFile(w *tar.Writer, name string, f file, date time.Time) error {
	if f.link != "" {
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: f.link, Mode: 0o777, ModTime: date})
	}
	text := f.text
	if f.from != "" {
		var err error
		if text, err = os.ReadFile(f.from); err != nil {
			return err
		}
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(f.mode.Perm()), Size: int64(len(text)), ModTime: date}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}
