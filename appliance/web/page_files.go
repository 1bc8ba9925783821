package web

import "net/http"

// filesPage is what the other pages are made with, and the health check.
func filesPage() page {
	return page{routes: []route{
		{"GET /page.css", anyone, static("page.css")},
		{"GET /page.js", anyone, static("page.js")},
		{"GET /icon.svg", anyone, static("icon.svg")},
		{"GET /favicon.ico", anyone, static("icon.svg")},
		{"GET /healthz", anyone, sayAlive},
		{"GET /health.json", anyone, sayHealth},
	}}
}

func sayAlive(v *visit) error {
	status, words := http.StatusOK, "ok\n"
	if v.site.Health != nil {
		if err := v.site.Health(); err != nil {
			v.site.Log.Warn("not healthy", "err", err)
			status, words = http.StatusServiceUnavailable, "not healthy\n"
		}
	}
	v.send(status, "text/plain; charset=utf-8", []byte(words))
	return nil
}

// sayHealth tells how everything does to programs of this machine, such as
// "prompt64 doctor".
func sayHealth(v *visit) error {
	switch {
	case !v.from().IsLoopback():
		return fault{http.StatusForbidden, "Only this device itself may ask that. Home shows it to you.", nil}
	case v.site.Tree == nil:
		return fault{http.StatusNotFound, "This bridge does not know how it is.", nil}
	}
	body, err := v.site.Tree(v.r.Context()).JSON()
	if err != nil {
		return err
	}
	v.send(http.StatusOK, "application/json", body)
	return nil
}
