package web

import (
	"net/http"
)

const erasePath = "/erase"

// eraseAgain is when a browser looks whether the device is there again: it starts twice
// meanwhile.
const eraseAgain = "90; url=/"

// erasePage offers to make a damaged data partition anew. Home leads to it.
func erasePage() page {
	return page{routes: []route{
		{"GET " + erasePath, signedIn, func(v *visit) error { return v.showErase(http.StatusOK, eraseForm()) }},
		{"POST " + erasePath, signedIn, erase},
	}}
}

// eraseData is what templates/erase.html shows.
type eraseData struct {
	Damage string
	Form   *form // nil: it is under way
}

func eraseForm() *form {
	return &form{Fields: []*field{
		{Name: "password", Label: "Password of these pages", Type: "password", Auto: "current-password", Required: true},
	}}
}

func (v *visit) showErase(status int, f *form) error {
	damage := v.site.Damage()
	if damage == "" {
		return fault{http.StatusNotFound, "The data partition is not damaged: there is nothing to erase.", nil}
	}
	return v.show(status, "erase", "Erase the data partition", eraseData{sentence(damage), f})
}

// erase takes the password again: a browser that was left open is not its owner.
func erase(v *visit) error {
	f := eraseForm()
	if v.site.Damage() == "" {
		return v.showErase(http.StatusOK, f) // which says so
	}
	if wrong, status := v.tryPassword(v.r.PostFormValue("password")); wrong != "" {
		f.field("password").Error = wrong
		return v.showErase(status, f)
	}
	v.site.Log.Warn("the data partition is being erased", "from", v.from())
	if err := v.site.Erase(); err != nil {
		f.Error = "Erasing did not work: " + sentence(err.Error()) + " Try again; if it stays like this, use another card."
		return v.showErase(http.StatusInternalServerError, f)
	}
	v.w.Header().Set("Refresh", eraseAgain)
	return v.show(http.StatusOK, "erase", "Erasing", eraseData{})
}
