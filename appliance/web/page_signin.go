package web

import (
	"fmt"
	"math"
	"net/http"
	"time"
)

// signInPage lets in whoever knows the password.
func signInPage() page {
	return page{routes: []route{
		{"GET /signin", outside, func(v *visit) error { return v.showSignIn(http.StatusOK, "") }},
		{"POST /signin", outside, trySignIn},
		{"POST /signout", signedIn, signOut},
	}}
}

func (v *visit) showSignIn(status int, wrong string) error {
	f := &form{Fields: []*field{
		{Name: "password", Label: "Password", Type: "password", Auto: "current-password", Required: true, Error: wrong},
	}}
	return v.show(status, "signin", "Sign in", map[string]any{"Form": f, "Boot": v.site.Settings.State().Boot})
}

func trySignIn(v *visit) error {
	// The password may be changed while it is looked at, which takes a while.
	era := v.site.Sessions.eraNow()
	wrong, status := v.tryPassword(v.r.PostFormValue("password"))
	if wrong != "" {
		return v.showSignIn(status, wrong)
	}
	if !v.signIn(era) {
		return v.showSignIn(http.StatusForbidden, "The password has just been changed. Sign in with the new one.")
	}
	return v.goTo("/", "")
}

// tryPassword compares a password with the device's, and says what is wrong. Too
// many wrong ones must wait, the right one among them.
func (v *visit) tryPassword(plain string) (wrong string, status int) {
	who := v.guesser()
	wait, end := v.site.attempts.begin(who)
	if end == nil {
		v.w.Header().Set("Retry-After", fmt.Sprint(int(math.Ceil(wait.Seconds()))))
		words := "Too many wrong passwords. Try again in " + inWords(wait) + "."
		if who.known == "" {
			words += " If they were not yours: a browser that has signed in here before need not wait."
		}
		return words, http.StatusTooManyRequests
	}
	right := v.site.Settings.Settings().Password.Matches(plain)
	end(right)
	if right {
		return "", http.StatusOK
	}
	v.site.Log.Warn("wrong password", "from", v.from())
	return "That is not the password.", http.StatusForbidden
}

// inWords rounds a time up, so that whoever waits that long has waited enough.
func inWords(d time.Duration) string {
	switch {
	case d <= time.Second:
		return "a second"
	case d <= time.Minute:
		return fmt.Sprintf("%.0f seconds", math.Ceil(d.Seconds()))
	}
	return fmt.Sprintf("%.0f minutes", math.Ceil(d.Minutes()))
}

func signOut(v *visit) error {
	v.site.Sessions.end(v.cookie)
	v.session = nil
	setCookie(v.w, randomText())
	return elsewhere("/signin")
}
