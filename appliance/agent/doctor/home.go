package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent"
)

// home examines the CODEX_HOME.
func (s Setup) home(r *report) {
	const check = "home"
	info, err := os.Stat(s.Home)
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.ok(check, "%s is made when Codex starts first", s.Home)
		return
	case err != nil:
		r.missing(check, "make it readable for the bridge", "%v", err)
		return
	case !info.IsDir():
		r.missing(check, "move it away, or name a folder with -codex-home DIR", "%s is no folder", s.Home)
		return
	}
	f, err := os.CreateTemp(s.Home, ".doctor-")
	if err != nil {
		r.missing(check, "make it writable for the bridge", "%v", err)
		return
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	key := filepath.Join(s.Home, "auth.json")
	if info, err := os.Stat(key); err == nil && info.Mode().Perm()&0o077 != 0 {
		r.warn(check, "run: chmod 600 "+key, "others can read the sign-in in %s", key)
		return
	}
	if within(s.Home, os.TempDir()) {
		r.warn(check, "keep state elsewhere with -data DIR", "%s lies in the folder for temporary files, which Codex does not like", s.Home)
		return
	}
	r.ok(check, "%s", s.Home)
}

// within reports whether path lies in dir.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// lowSpace is what Codex's records need before long, with an update beside it.
const lowSpace = 1 << 30

func (s Setup) space(r *report) {
	free, err := agent.FreeSpace(existing(s.Data))
	switch {
	case err != nil:
		r.warn("space", "", "%v", err)
	case free < lowSpace:
		r.warn("space", "make room, or keep state on another disk with -data DIR", "only %d MB are free; an update of Codex needs 600", free/1_000_000)
	default:
		r.ok("space", "%d MB are free", free/1_000_000)
	}
}

// existing is the closest folder above a path that is there.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}
