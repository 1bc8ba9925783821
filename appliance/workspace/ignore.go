package workspace

import (
	"path"
	"strings"
)

const maxIgnore = 1 << 20 // bytes of one .gitignore

// ignoreList is the rules of one .gitignore; up leads to those of the folder
// above, and in the end to info/exclude. The last rule that matches decides, the
// nearest file first.
type ignoreList struct {
	up    *ignoreList
	base  string // the folder of the file, with a slash behind it unless empty
	fold  bool   // case does not count
	rules []ignoreRule
}

type ignoreRule struct {
	keep    bool   // the pattern began with an exclamation mark
	dirOnly bool   // it ended in a slash
	name    bool   // it holds no slash: the last component alone counts
	prefix  string // what stands before the first wildcard, if a path is matched
	glob    *glob  // the rest, nil if there is none
}

// parseIgnore reads the lines of a .gitignore that lies in base.
func parseIgnore(text string, base string, up *ignoreList, fold bool) *ignoreList {
	list := &ignoreList{up: up, base: base, fold: fold}
	text = strings.TrimPrefix(text, "\uFEFF")
	for line := range strings.SplitSeq(text, "\n") {
		if rule, ok := parseRule(strings.TrimSuffix(line, "\r"), fold); ok {
			list.rules = append(list.rules, rule)
		}
	}
	if len(list.rules) == 0 {
		return up
	}
	return list
}

func parseRule(line string, fold bool) (ignoreRule, bool) {
	if strings.HasPrefix(line, "#") {
		return ignoreRule{}, false
	}
	line = trimSpaces(line)
	var rule ignoreRule
	line, rule.keep = strings.CutPrefix(line, "!")
	line, rule.dirOnly = strings.CutSuffix(line, "/")
	rule.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return ignoreRule{}, false
	}
	// git compares what stands before the first wildcard by itself, and takes
	// two stars behind it for stars at a beginning: dir.c, match_pathname.
	wild := strings.IndexAny(line, `*?[\`)
	rest := line
	switch {
	case wild < 0:
		rule.prefix, rest = line, ""
	case !rule.name:
		rule.prefix, rest = line[:wild], line[wild:]
	}
	if fold {
		rule.prefix = strings.ToLower(rule.prefix)
	}
	if wild < 0 {
		return rule, true
	}
	var ok bool
	rule.glob, ok = compileGlob(rest, fold)
	return rule, ok
}

// trimSpaces drops the spaces at the end that no backslash protects.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return s[:min(end, len(s))]
}

// match says whether the path, relative to the top, is ignored. Whether a
// folder above it is must have been asked before.
func (l *ignoreList) match(name string, dir bool) bool {
	for ; l != nil; l = l.up {
		below := strings.TrimPrefix(name, l.base)
		last := path.Base(name)
		for i := len(l.rules) - 1; i >= 0; i-- {
			rule := &l.rules[i]
			subject := below
			if rule.name {
				subject = last
			}
			if (dir || !rule.dirOnly) && rule.matches(subject, l.fold) {
				return !rule.keep
			}
		}
	}
	return false
}

func (r *ignoreRule) matches(s string, fold bool) bool {
	if fold {
		s = strings.ToLower(s)
	}
	rest, ok := strings.CutPrefix(s, r.prefix)
	if r.glob == nil {
		return ok && rest == ""
	}
	return ok && r.glob.match(rest)
}
