package web

import "net/http"

// filesPage is what the other pages are made with, and the health check.
func filesPage() page {
	return page{routes: []route{
		{"GET /page.css", anyone, static("page.css")},
		{"GET /page.js", anyone, static("page.js")},
		{"GET /icon.svg", anyone, static("icon.svg")},
		{"GET /favicon.ico", anyone, static("icon.svg")},
		{"GET /healthz", anyone, health},
	}}
}

func health(v *visit) error {
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
