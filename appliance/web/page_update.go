package web

import "net/http"

// updatePage says how this program gets newer.
func updatePage() page {
	return page{path: "/update", label: "Update", icon: "update", aside: true, routes: []route{
		{"GET /update", signedIn, func(v *visit) error { return v.show(http.StatusOK, "update", "Update", nil) }},
	}}
}
