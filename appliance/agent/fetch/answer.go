package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// errOtherFile says that an answer does not continue the kept bytes.
var errOtherFile = errors.New("the server does not go on with the same file")

// answer is what a response promises about its body.
type answer struct {
	start     int64  // where in the file the body begins
	total     int64  // the file's size, -1 if unknown
	validator string // for a later request to go on
}

// judge reads a response to a request for everything from offset on.
func judge(resp *http.Response, offset int64, validator string) (answer, error) {
	switch resp.StatusCode {
	case http.StatusOK:
		return answer{total: resp.ContentLength, validator: validatorOf(resp.Header)}, nil
	case http.StatusPartialContent:
		return judgePartial(resp, offset, validator)
	case http.StatusRequestedRangeNotSatisfiable:
		return answer{}, errOtherFile
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return answer{}, statusError(resp)
	}
	if resp.StatusCode >= 500 {
		return answer{}, statusError(resp)
	}
	return answer{}, finalError{statusError(resp)}
}

// judgePartial accepts a part only if it begins exactly where the kept bytes end
// and belongs to the same file.
func judgePartial(resp *http.Response, offset int64, validator string) (answer, error) {
	var start, end, total int64
	text := resp.Header.Get("Content-Range")
	n, err := fmt.Sscanf(text, "bytes %d-%d/%d", &start, &end, &total)
	if n == 2 && strings.HasSuffix(text, "/*") {
		total, err = -1, nil
	}
	switch now := validatorOf(resp.Header); {
	case err != nil || offset == 0 || start != offset || end < start || (total >= 0 && end != total-1):
		return answer{}, fmt.Errorf("%w: it sent %q", errOtherFile, text)
	case now != "" && now != validator:
		return answer{}, fmt.Errorf("%w: it has changed", errOtherFile)
	}
	return answer{start: start, total: total, validator: validator}, nil
}

// validatorOf returns what identifies the file's bytes: a strong entity tag, or
// else the time of its last change. RFC 9110 allows no weak tag in If-Range.
func validatorOf(h http.Header) string {
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) {
		return tag
	}
	return h.Get("Last-Modified")
}

func statusError(resp *http.Response) error {
	return fmt.Errorf("the server answered %s%s", resp.Status, hint(resp.StatusCode))
}

// hint says what an answer usually means here.
func hint(code int) string {
	switch code {
	case http.StatusNotFound, http.StatusGone:
		return ": there is no such file; check the version and the address"
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return ": it wants a permission that this program does not have; fetch the file by hand and name it with -from FILE"
	}
	return ""
}
