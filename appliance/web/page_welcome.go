package web

import (
	"net/http"

	"github.com/prompt64/prompt64/appliance/config"
)

// welcomePage is the first visit: it sets the password.
func welcomePage() page {
	return page{routes: []route{
		{"GET /welcome", firstOne, func(v *visit) error { return v.showWelcome(http.StatusOK, newPasswordForm()) }},
		{"POST /welcome", firstOne, setFirstPassword},
	}}
}

func newPasswordForm() *form {
	return &form{Fields: []*field{
		{Name: "password", Label: "New password", Type: "password", Auto: "new-password", Required: true, Hint: "8 characters or more."},
		{Name: "again", Label: "The same again", Type: "password", Auto: "new-password", Required: true},
	}}
}

func (v *visit) showWelcome(status int, f *form) error {
	return v.show(status, "welcome", "Welcome", f)
}

func setFirstPassword(v *visit) error {
	f := newPasswordForm()
	plain, ok := f.newPassword(v)
	if !ok {
		return v.showWelcome(http.StatusUnprocessableEntity, f)
	}
	err := v.save(func(s *config.Settings) error {
		if !s.Password.Empty() {
			return fault{http.StatusConflict, "Somebody else has just set a password. Open the pages again and sign in with it.", nil}
		}
		return s.SetPassword(plain)
	})
	if err != nil {
		return v.showWelcome(f.wrong(v, err, nil), f)
	}
	v.site.Log.Info("the first password was set", "from", v.from())
	v.signIn(v.site.Sessions.eraNow())
	return v.goTo("/setup", "The password is set. Next: the few things below.")
}

// newPassword reads a new password that was written twice.
func (f *form) newPassword(v *visit) (plain string, ok bool) {
	plain = v.r.PostFormValue("password")
	if _, err := config.NewPassword(plain); err != nil {
		f.field("password").Error = "8 to 128 characters are allowed."
		return "", false
	}
	if plain != v.r.PostFormValue("again") {
		f.field("again").Error = "This is not the same as above."
		return "", false
	}
	return plain, true
}
