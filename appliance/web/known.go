package web

import (
	"crypto/hmac"
	"crypto/rand"
	"net/http"
	"strings"
	"time"
)

// knownName names the cookie of a browser that has signed in. It lets nobody in: it
// only has the browser's wrong passwords counted apart from everybody else's, so
// that a stranger who guesses does not keep the owner out.
const knownName = "prompt64-known"

// knownTime is how long a browser is known.
const knownTime = 365 * 24 * time.Hour

// remember makes the browser known until the password is set anew.
func (v *visit) remember() {
	name := rand.Text()
	http.SetCookie(v.w, &http.Cookie{Name: knownName, Value: name + "." + v.site.knownMark(name), Path: "/",
		MaxAge: int(knownTime.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// known returns the name of a browser that has signed in before, and nothing for
// any other.
func (v *visit) known() string {
	c, err := v.r.Cookie(knownName)
	if err != nil {
		return ""
	}
	name, mark, _ := strings.Cut(c.Value, ".")
	if want := v.site.knownMark(name); want == "" || !hmac.Equal([]byte(mark), []byte(want)) {
		return ""
	}
	return name
}

func (s *Site) knownMark(name string) string {
	return s.Settings.Settings().Password.Mark("known browser " + name)
}
