package web

import (
	"net/http"

	qrcode "github.com/skip2/go-qrcode"
)

// jobPaths says on which page the jobs of a kind are shown.
var jobPaths = map[string]string{"clone": "/setup/workspaces", "agent": "/setup/agent"}

// jobsPage shows how a job is, as a part of another page.
func jobsPage() page {
	return page{routes: []route{
		{"GET /jobs/{kind}", signedIn, showJob},
		{"GET /jobs/{kind}/qr.png", signedIn, showQR},
		{"POST /jobs/{kind}/stop", signedIn, stopJob},
	}}
}

// showJob answers with the part alone; the script asks for it. At the end it
// has the page loaded anew, since more has changed than the part.
func showJob(v *visit) error {
	view := v.job(v.r.PathValue("kind"))
	if view == nil || view.Done {
		v.w.Header().Set("X-Reload", "yes")
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return v.showPart(http.StatusOK, "agent", "jobpart", view)
}

// job finds a job for a template.
func (v *visit) job(kind string) *jobView {
	view := v.site.jobs.find(kind)
	if view != nil {
		view.Token = v.token()
	}
	return view
}

// showQR draws the address where a code must be entered.
func showQR(v *visit) error {
	view := v.job(v.r.PathValue("kind"))
	if view == nil || view.URL == "" {
		return fault{http.StatusNotFound, "There is no code to enter now.", nil}
	}
	png, err := qrcode.Encode(view.URL, qrcode.Medium, 320)
	if err != nil {
		return fault{http.StatusInternalServerError, "The address is too long for a picture. Open it by hand.", err}
	}
	v.send(http.StatusOK, "image/png", png)
	return nil
}

func stopJob(v *visit) error {
	kind := v.r.PathValue("kind")
	path, ok := jobPaths[kind]
	if !ok {
		return fault{http.StatusNotFound, "There is nothing like that to stop.", nil}
	}
	v.site.jobs.cancel(kind)
	return v.goTo(path, "")
}
