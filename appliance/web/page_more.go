package web

import (
	"net/http"
	"slices"
)

// morePage lists on a phone what the navigation has no room for.
func morePage() page {
	return page{path: "/more", label: "More", icon: "more", routes: []route{
		{"GET /more", signedIn, func(v *visit) error {
			rest := slices.DeleteFunc(pages(), func(p page) bool { return !p.aside })
			return v.show(http.StatusOK, "more", "More", rest)
		}},
	}}
}
