package display

import (
	"html"
	"strings"
	"unicode"
)

// entity takes a rune in an HTML entity. What it stands for is text, never a
// mark; a control character in it becomes a space.
func (in *inline) entity(r rune) bool {
	word := r == '#' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	if word && len(in.pend) < maxEntity {
		in.pend = append(in.pend, r)
		return true
	}
	in.state = inText
	if r != ';' {
		in.plain(in.pend)
		return false
	}
	source := string(append(in.pend, r))
	text := html.UnescapeString(source)
	if text == source || len(text) > 1 && strings.HasSuffix(text, ";") {
		text = source
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			r = ' '
		}
		in.text(r)
	}
	return true
}

// angle takes a rune in <...>: an address shows bare, a line break breaks, and
// anything else is text, since Vec<String> is no tag.
func (in *inline) angle(r rune) bool {
	in.pend = append(in.pend, r)
	if r == '>' {
		in.state = inText
		switch inside := strings.TrimRight(strings.ToLower(string(in.pend[1:len(in.pend)-1])), " /"); {
		case inside == "br":
			in.text('\n')
		case autolink(inside):
			in.plain(in.pend[1 : len(in.pend)-1])
		default:
			in.noAngle()
		}
		return true
	}
	letter := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	space := r == ' ' && strings.EqualFold(string(in.pend[1:min(len(in.pend), 5)]), "br ")
	if len(in.pend) == 2 && !letter || r == '<' || unicode.IsSpace(r) && !space || len(in.pend) > maxAddress ||
		!letter && len(in.pend) <= 34 && !strings.ContainsRune("+.-_%/:@ ?#=&~", r) {
		in.state = inText
		in.noAngle()
	}
	return true
}

// noAngle makes text of a < and reads again what follows it.
func (in *inline) noAngle() {
	in.text('<')
	in.unread('<', in.pend[1:])
}

// autolink reports whether an address stands between the angle brackets.
func autolink(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if ok && (strings.HasPrefix(rest, "//") || scheme == "mailto") {
		return len(scheme) > 1
	}
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && strings.Contains(host, ".") && !strings.ContainsAny(s, ":/ ")
}
