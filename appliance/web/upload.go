package web

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
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
	v.bePatient()
	form, err := v.r.MultipartReader()
	if err != nil {
		return nil, fault{http.StatusUnsupportedMediaType, "Only a form with a file is taken.", err}
	}
	u := &upload{v: v, size: v.r.ContentLength, fields: map[string]string{}}
	for range maxFields {
		u.part, err = form.NextPart()
		switch {
		case err == io.EOF: // itself: within another error it is an end that came too soon
			return nil, fault{http.StatusBadRequest, "Choose the file of an update first.", nil}
		case err != nil:
			return nil, cutForm(err)
		case u.part.FormName() != file:
			if err := u.readField(); err != nil {
				return nil, err
			}
		}
		if !v.site.Sessions.tokenMatches(v.cookie, u.fields["token"]) {
			return nil, staleForm
		}
		if u.part.FormName() == file {
			return u, nil
		}
	}
	return nil, fault{http.StatusBadRequest, "This is no form of this device.", nil}
}

func (u *upload) readField() error {
	text, err := io.ReadAll(io.LimitReader(u.part, fieldSize))
	if err != nil {
		return cutForm(err)
	}
	u.fields[u.part.FormName()] = string(text)
	return nil
}

// has reports whether a box was ticked.
func (u *upload) has(name string) bool { return u.fields[name] == "on" }

// errCutFile stands for what the network says, which means nothing to an owner.
var errCutFile = errors.New("the file did not arrive whole: send it again")

// Read reads the file.
func (u *upload) Read(p []byte) (int, error) {
	n, err := u.part.Read(p)
	if err != nil && err != io.EOF {
		u.v.site.Log.Warn("a file was cut", "err", err)
		err = errCutFile
	}
	return n, err
}
