package web

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"
)

// visit is one request on its way through a page.
type visit struct {
	site    *Site
	w       http.ResponseWriter
	r       *http.Request
	cookie  string
	session *session // nil: not signed in
}

// visit meets a visitor; one without a cookie gets one, for the token of the
// first form.
func (s *Site) visit(w http.ResponseWriter, r *http.Request) *visit {
	v := &visit{site: s, w: w, r: r}
	if c, err := r.Cookie(cookieName); err == nil {
		v.cookie = c.Value
		v.session = s.Sessions.find(c.Value, s.Now())
	}
	return v
}

// token is for the forms of this visitor.
func (v *visit) token() string {
	if v.cookie == "" {
		v.cookie = randomText()
		setCookie(v.w, v.cookie)
	}
	return v.site.Sessions.token(v.cookie)
}

// from is the visitor's address.
func (v *visit) from() netip.Addr { return addrOf(v.r.RemoteAddr) }

// value is a field of the form, without spaces around it.
func (v *visit) value(name string) string { return strings.TrimSpace(v.r.PostFormValue(name)) }

// checkForm reads the form of a POST and checks that one of our pages sent it.
func (v *visit) checkForm() error {
	if err := parseForm(v.r); err != nil {
		return err
	}
	if !v.site.Sessions.tokenMatches(v.cookie, v.r.PostForm.Get("token")) {
		return staleForm
	}
	return nil
}

// staleForm says that a form's token is not the browser's.
var staleForm = fault{http.StatusForbidden, "This form is too old, or the browser refuses cookies. Nothing was changed: " +
	"go back, reload the page and send it again.", nil}

// signIn gives the browser a new cookie, so that one that somebody planted before
// is worth nothing. It is false if everybody was signed out since era.
func (v *visit) signIn(era int) bool {
	cookie := v.site.Sessions.begin(v.site.Now(), era)
	if cookie == "" {
		return false
	}
	v.cookie, v.session = cookie, v.site.Sessions.find(cookie, v.site.Now())
	setCookie(v.w, v.cookie)
	v.remember()
	return true
}

// goTo ends a POST: the browser reads path next, and says notice there. The path
// is never made of what a visitor wrote.
func (v *visit) goTo(path, notice string) error {
	if v.session != nil && notice != "" {
		v.session.say(notice)
	}
	return elsewhere(path)
}

// elsewhere sends the browser to another page.
type elsewhere string

// Error names the page.
func (e elsewhere) Error() string { return "go to " + string(e) }

// fault is a request that could not be answered, in words for the visitor.
type fault struct {
	status int
	words  string
	cause  error // for the log; nil: nothing to log
}

// Error says both.
func (f fault) Error() string {
	if f.cause == nil {
		return f.words
	}
	return f.words + ": " + f.cause.Error()
}

func (f fault) Unwrap() error { return f.cause }

// fail answers with what went wrong.
func (v *visit) fail(err error) {
	if to, ok := errors.AsType[elsewhere](err); ok {
		http.Redirect(v.w, v.r, string(to), http.StatusSeeOther)
		return
	}
	f, ok := errors.AsType[fault](err)
	if !ok {
		f = fault{http.StatusInternalServerError, "This did not work; the log says why.", err}
		if v.session != nil { // an error may name what a stranger should not read
			f.words = "This did not work: " + err.Error()
		}
	}
	if f.cause != nil {
		v.site.Log.Warn("page", "path", v.r.URL.Path, "err", err)
	}
	if err := v.show(f.status, "problem", "That did not work", f.words); err != nil {
		v.site.Log.Error("page cannot be shown", "err", err)
		v.site.refuse(v.w, f.status, f.words)
	}
}
