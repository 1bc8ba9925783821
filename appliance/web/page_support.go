package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

// supportPage hands out what helps to find a fault.
func supportPage() page {
	return page{path: "/support", label: "Support", icon: "support", aside: true, routes: []route{
		{"GET /support", signedIn, func(v *visit) error {
			return v.show(http.StatusOK, "support", "Support", v.site.Bundle != nil)
		}},
		{"POST /support/bundle", signedIn, sendBundle},
	}}
}

// Bundle writes a support bundle: a zip without secrets, with what was said only
// where the owner wants it in.
type Bundle func(ctx context.Context, w io.Writer, transcripts bool) error

var errSlowBundle = fault{http.StatusGatewayTimeout, "The bundle was not made within two minutes. The device may be very busy: try again.", context.DeadlineExceeded}

func sendBundle(v *visit) error {
	if v.site.Bundle == nil {
		return fault{http.StatusNotFound, "This bridge makes no support bundles.", nil}
	}
	line := http.NewResponseController(v.w)
	_ = line.SetWriteDeadline(time.Now().Add(bundleTime + writeTime))
	ctx, cancel := context.WithTimeoutCause(v.r.Context(), bundleTime, errSlowBundle)
	defer cancel()
	var body bytes.Buffer // whole, so that a failure is told in words
	if err := v.site.Bundle(ctx, &body, v.value("transcripts") != ""); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	_ = line.SetWriteDeadline(time.Now().Add(bundleTime))
	v.attach("prompt64-support.zip", "application/zip", body.Bytes())
	return nil
}
