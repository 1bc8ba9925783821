package support

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Hidden stands where a secret was.
const Hidden = "[hidden]"

// Redactor takes secrets out of text: those it was told of, in the shapes in which
// programs write them, and what looks like one. The zero Redactor knows the looks
// only. Its methods are safe for concurrent use.
type Redactor struct {
	mu       sync.RWMutex
	known    map[string][]string // by who told
	replacer *strings.Replacer
}

// Know replaces what one source, such as the settings, told before. The former
// secrets of a source stay hidden too: they are in lines that are already there.
func (r *Redactor) Know(source string, secrets []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = map[string][]string{}
	}
	for _, s := range secrets {
		if len(s) >= shortest && !slices.Contains(r.known[source], s) {
			r.known[source] = append(r.known[source], s)
		}
	}
	r.replacer = replacer(r.known)
}

// replacer looks for all shapes of all secrets, the longer first, since one may
// hold another.
func replacer(known map[string][]string) *strings.Replacer {
	var all []string
	for _, secrets := range known {
		for _, s := range secrets {
			all = append(all, shapes(s)...)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	var pairs []string
	for _, s := range slices.Compact(all) {
		pairs = append(pairs, s, Hidden)
	}
	return strings.NewReplacer(pairs...)
}

// shapes are the ways in which a secret may be written.
func shapes(s string) []string {
	quoted := strconv.Quote(s)
	out := []string{s, quoted[1 : len(quoted)-1], url.QueryEscape(s), url.PathEscape(s),
		base64.StdEncoding.EncodeToString([]byte(s)), strings.ToLower(s), strings.ToUpper(s)}
	if text, err := json.Marshal(s); err == nil {
		out = append(out, string(text[1:len(text)-1]))
	}
	twice := strconv.Quote(quoted) // a quoted text within a quoted one
	return append(out, twice[3:len(twice)-3])
}

// Clean returns text without secrets.
func (r *Redactor) Clean(text string) string {
	r.mu.RLock()
	known := r.replacer
	r.mu.RUnlock()
	if known != nil {
		text = known.Replace(text)
	}
	for _, l := range looks {
		text = l.pattern.ReplaceAllString(text, l.with)
	}
	return secretField.ReplaceAllStringFunc(text, hideField)
}

// look is a secret that is known by how it looks.
type look struct {
	pattern *regexp.Regexp
	with    string
}

var looks = []look{
	{regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|\z)`), Hidden},
	// Headers, to the end of the line or of the quotes.
	{regexp.MustCompile(`(?i)\b(authorization|proxy-authorization|x-password|cookie|set-cookie)(\\?["']?\s*[:=]\s*\\?["'\[]*)[^"'\r\n\]]+`), "$1$2" + Hidden},
	{regexp.MustCompile(`(?i)\b(bearer|basic)(\s+|%20|\+)[A-Za-z0-9._~+/=-]{6,}`), "$1$2" + Hidden},
	// User and password in an address, and keys behind its question mark.
	{regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9+.-]*://)[^/\s"'@]+@`), "$1" + Hidden + "@"},
	{regexp.MustCompile(`(?i)([?&](?:access_token|token|key|code|user_code|sig|signature|password|secret|state)=)[^&\s"'#]+`), "$1" + Hidden},
	// Keys of well-known makers, web tokens, digests of passwords, device codes.
	{regexp.MustCompile(`\b(sk|rk|pk)-[A-Za-z0-9_-]{12,}`), Hidden},
	{regexp.MustCompile(`\b(gh[pousr]_|github_pat_|glpat-|xox[abeprs]-)[A-Za-z0-9_-]{10,}`), Hidden},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(\.[A-Za-z0-9_-]*)?`), Hidden},
	{regexp.MustCompile(`\$argon2id?\$[^\s"']+`), Hidden},
	{regexp.MustCompile(`\b[A-Z0-9]{4}-[A-Z0-9]{4,5}\b`), Hidden},
}

// secretField is a field whose name says that its value is a secret.
var secretField = regexp.MustCompile(`(?i)\b([\w.-]*(?:passwor[dt]|passwd|passphrase|secret|token|api[_-]?key|psk|(?:pairing|user|device|sign-?in)[._ -]?code)\w*)` +
	`(\\?["']?\s*[:=]\s*\\?)("[^"\r\n]*"|'[^'\r\n]*'|[^\s"'\\,;&}\]]+)`)

// number is what a count of tokens looks like, which is no secret.
var number = regexp.MustCompile(`^\d{1,9}$`)

// hideField hides the value of a secretField.
func hideField(text string) string {
	m := secretField.FindStringSubmatch(text)
	name, between, value := m[1], m[2], m[3]
	bare := strings.Trim(value, `"'`)
	switch {
	case bare == "" || bare == Hidden || bare == "true" || bare == "false" || bare == "null":
		return text
	case strings.Contains(strings.ToLower(name), "token") && number.MatchString(bare):
		return text
	}
	return name + between + strings.Replace(value, bare, Hidden, 1)
}
