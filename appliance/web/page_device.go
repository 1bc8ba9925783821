package web

import (
	"net/http"

	"github.com/prompt64/prompt64/appliance/config"
)

// devicePart is the device's name and the password of these pages.
func devicePart() setupPart {
	return setupPart{"/setup/device", "Name and password", "device", deviceNow, []route{
		{"GET /setup/device", signedIn, func(v *visit) error {
			return v.showDevice(http.StatusOK, nameForm(v.site), changeForm())
		}},
		{"POST /setup/device", signedIn, saveName},
		{"POST /setup/password", signedIn, changePassword},
	}}
}

func deviceNow(s *Site) setupNow {
	return setupNow{Words: s.Settings.Settings().Hostname + ".local", Done: true}
}

func nameForm(s *Site) *form {
	return &form{Fields: []*field{
		{Name: "hostname", Label: "Name", Type: "text", Value: s.Settings.Settings().Hostname, Max: 63, Required: true,
			Hint: "Letters, digits and hyphens. With .local behind it, it is this device's address in your network."},
	}}
}

func changeForm() *form {
	f := newPasswordForm()
	f.Fields = append([]*field{
		{Name: "old", Label: "Password until now", Type: "password", Auto: "current-password", Required: true},
	}, f.Fields...)
	return f
}

func (v *visit) showDevice(status int, name, change *form) error {
	return v.show(status, "device", "Name and password", map[string]any{"Name": name, "Change": change})
}

func saveName(v *visit) error {
	f := nameForm(v.site)
	f.fill(v)
	err := v.save(func(s *config.Settings) error {
		s.Hostname = v.value("hostname")
		return nil
	})
	if err != nil {
		return v.showDevice(f.wrong(v, err, map[string]string{"hostname": "hostname"}), f, changeForm())
	}
	return v.goTo("/setup/device", "Saved.")
}

func changePassword(v *visit) error {
	f := changeForm()
	if wrong, status := v.tryPassword(v.r.PostFormValue("old")); wrong != "" {
		f.field("old").Error = wrong
		return v.showDevice(status, nameForm(v.site), f)
	}
	plain, ok := f.newPassword(v)
	if !ok {
		return v.showDevice(http.StatusUnprocessableEntity, nameForm(v.site), f)
	}
	if err := v.save(func(s *config.Settings) error { return s.SetPassword(plain) }); err != nil {
		return v.showDevice(f.wrong(v, err, nil), nameForm(v.site), f)
	}
	v.site.Sessions.endAll()
	v.signIn(v.site.Sessions.eraNow())
	return v.goTo("/setup/device", "The password is changed. All other browsers are signed out.")
}
