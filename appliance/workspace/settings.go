package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
)

const maxConfig = 1 << 20 // bytes of a repository's config file

// settings is the little that is taken over from a repository's configuration:
// how its files lie on the disk. None of it can name a program or a path.
type settings struct {
	sha256     bool
	fileMode   bool
	symlinks   bool
	ignoreCase bool
	autoCRLF   string // true, false or input
	eol        string // lf, crlf or native
}

// harmlessExtensions may be set in a repository of version 1 without changing
// what is read here. A partial clone works as far as its objects are present.
var harmlessExtensions = map[string]bool{
	"noop": true, "noop-v1": true, "preciousobjects": true, "partialclone": true,
	"worktreeconfig": true, "relativeworktrees": true,
}

// settings reads the repository's config as data: the bytes go to git on its
// standard input, where includes are not followed, and come back as a list.
func (r *Root) settings(ctx context.Context, box *box, repo *repository) (settings, error) {
	text, err := r.readFile(path.Join(repo.common, "config"), maxConfig)
	if err != nil && !errors.Is(err, ErrNotFound) { // without one, git's defaults hold
		return settings{}, fmt.Errorf("git config: %w", unsafely(err))
	}
	out, err := box.run(ctx, text, "config", "--file", "-", "--no-includes", "-z", "--get-regexp", `^(core|extensions)\.[a-z0-9-]+$`)
	if err != nil && !exitedWith(err, 1) { // 1: no such key
		return settings{}, err
	}
	return parseSettings(out)
}

func parseSettings(out []byte) (settings, error) {
	s := settings{fileMode: true, symlinks: true, autoCRLF: "false", eol: "native"}
	version, extensions := "0", map[string]string{}
	for item := range strings.SplitSeq(string(out), "\x00") {
		key, value, hasValue := strings.Cut(item, "\n")
		on := !hasValue || isTrue(value)
		if name, ok := strings.CutPrefix(key, "extensions."); ok {
			extensions[name] = strings.ToLower(value)
			continue
		}
		switch key {
		case "core.repositoryformatversion":
			version = value
		case "core.filemode":
			s.fileMode = on
		case "core.symlinks":
			s.symlinks = on
		case "core.ignorecase":
			s.ignoreCase = on
		case "core.autocrlf":
			s.autoCRLF = oneOf(value, "input", on)
		case "core.eol":
			if v := strings.ToLower(value); v == "lf" || v == "crlf" {
				s.eol = v
			}
		}
	}
	switch version {
	case "0": // extensions count from version 1 on
		return s, nil
	case "1":
		return s, s.extend(extensions)
	}
	return s, fmt.Errorf("git format %.8q: %w", version, ErrUnsupported)
}

func (s *settings) extend(extensions map[string]string) error {
	for name, value := range extensions {
		switch {
		case name == "objectformat" && value == "sha256":
			s.sha256 = true
		case name == "objectformat" && value == "sha1", name == "refstorage" && value == "files":
		case harmlessExtensions[name]:
		default:
			return fmt.Errorf("git %.24s %.12s: %w", name, value, ErrUnsupported)
		}
	}
	return nil
}

func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

func oneOf(value, word string, on bool) string {
	if strings.EqualFold(value, word) {
		return word
	}
	if on {
		return "true"
	}
	return "false"
}

func (s settings) idSize() int {
	if s.sha256 {
		return 32
	}
	return 20
}

// emptyTree is the id of the tree without entries, which git knows by itself.
func (s settings) emptyTree() string {
	if s.sha256 {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// config is the whole configuration under which git runs here. All values are
// words of this package's own choice.
func (s settings) config() string {
	version, format := 0, ""
	if s.sha256 {
		version, format = 1, "[extensions]\n\tobjectformat = sha256\n"
	}
	return fmt.Sprintf(`[core]
	repositoryformatversion = %d
	bare = false
	filemode = %t
	symlinks = %t
	ignorecase = %t
	autocrlf = %s
	eol = %s
	safecrlf = false
	quotepath = false
	fsmonitor = false
	untrackedCache = false
	commitGraph = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	bigFileThreshold = 16m
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol]
	allow = never
[submodule]
	recurse = false
[pack]
	threads = 1
%s`, version, s.fileMode, s.symlinks, s.ignoreCase, s.autoCRLF, s.eol, format)
}
