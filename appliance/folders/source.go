package folders

import (
	"encoding/base64"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
)

// Source is a repository to clone.
type Source struct {
	URL   string        // https only
	Token config.Secret // for a private one; empty: it is public
	Whole bool          // with its history; otherwise the newest state only
}

const (
	maxURL   = 500
	maxToken = 500
)

// Name is what the workspace is called unless the owner says otherwise.
func (s Source) Name() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(path.Base(u.Path), ".git")
}

// Check reports why the source cannot be cloned. What git would take for an
// option, another protocol or a command never reaches it.
func (s Source) Check() error {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil, len(s.URL) > maxURL, u.Scheme != "https", u.Host == "", u.User != nil, u.Fragment != "",
		u.Opaque != "", strings.Contains(s.URL, "::"), u.Path == "" || u.Path == "/",
		strings.HasPrefix(u.Hostname(), "-"), !isPort(u.Port()):
		return ErrAddress
	}
	for _, r := range s.URL {
		if r <= ' ' || r > '~' || strings.ContainsRune("\\\"'`$", r) {
			return ErrAddress
		}
	}
	token := s.Token.Reveal()
	if len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ErrToken
	}
	return nil
}

// isPort reports whether an address may end with this port; empty: the usual one.
func isPort(text string) bool {
	if text == "" {
		return true
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// address is the URL as git takes it. A phone's keyboard begins with a capital
// letter, and git knows no protocol Https.
func (s Source) address() string {
	if _, rest, ok := strings.Cut(s.URL, "://"); ok {
		return "https://" + rest
	}
	return s.URL
}

// redirects says where git follows a server that sends it elsewhere. With a token
// it stays: after the first redirect git sends its extra headers to the new host.
func (s Source) redirects() string {
	if s.Token.Empty() {
		return "initial"
	}
	return "false"
}

// credential is the environment by which git learns the token. It is no argument,
// which every process could read, and it is sent to the source's host alone.
func (s Source) credential() []string {
	if s.Token.Empty() {
		return nil
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil
	}
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + s.Token.Reveal()))
	return []string{
		"GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=http.https://" + u.Host + "/.extraHeader",
		"GIT_CONFIG_VALUE_0=Authorization: Basic " + basic,
	}
}
