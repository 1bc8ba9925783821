package web

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"
)

// uploadPattern is the only route that takes a file.
const uploadPattern = "POST /update/bundle"

// upload is the file of a form. The form's fields stand before it, the token first,
// so that nothing is taken from a stranger.
type upload struct {
	v      *visit
	part   *multipart.Part
	size   int64 // of the form: the file has at most as many bytes
	fields map[string]string
}

// isUpload reports whether a request is the one that takes a file.
func isUpload(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "multipart/form-data" && r.Method+" "+r.URL.Path == uploadPattern
}

// upload reads a form up to its file, and checks that one of our pages sent it.
func (v *visit) upload(file string) (*upload, error) {
	switch {
	case v.r.ContentLength < 0:
		return nil, fault{http.StatusLengthRequired, "The browser does not say how large the file is.", nil}
	case v.r.ContentLength > uploadSize:
		return nil, fault{http.StatusRequestEntityTooLarge, "No update is that large.", nil}
	}
	form, err := v.r.MultipartReader()
	if err != nil {
		return nil, fault{http.StatusUnsupportedMediaType, "Only a form with a file is taken.", err}
	}
	u := &upload{v: v, size: v.r.ContentLength, fields: map[string]string{}}
	for {
		u.goOn()
		if u.part, err = form.NextPart(); err != nil {
			return nil, fault{http.StatusBadRequest, "Choose the file of an update first.", nil}
		}
		if u.part.FormName() == file {
			return u, nil
		}
		text, err := io.ReadAll(io.LimitReader(u.part, fieldSize))
		if err != nil {
			return nil, fault{http.StatusBadRequest, "The form did not arrive whole. Go back and send it again.", err}
		}
		if u.fields[u.part.FormName()] = string(text); !v.site.Sessions.tokenMatches(v.cookie, u.fields["token"]) {
			return nil, staleForm
		}
	}
}

// has reports whether a box was ticked.
func (u *upload) has(name string) bool { return u.fields[name] == "on" }

// Read reads the file. As long as something comes, the connection stays open.
func (u *upload) Read(p []byte) (int, error) {
	u.goOn()
	return u.part.Read(p)
}

// goOn gives the browser more time.
func (u *upload) goOn() { u.v.goOn() }

func (v *visit) goOn() {
	c := http.NewResponseController(v.w)
	now := time.Now()
	_ = c.SetReadDeadline(now.Add(readTime))              // a recorder in a test has none
	_ = c.SetWriteDeadline(now.Add(readTime + checkTime)) // the answer comes after the check
}
