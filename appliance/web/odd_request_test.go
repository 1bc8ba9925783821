package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// What no browser sends, as a hostile neighbour would.
func TestOddRequestsAreRefusedAndChangeNothing(t *testing.T) {
	r := ready(t, nil)
	at, form := r.serve(), "Content-Type: application/x-www-form-urlencoded"
	token := "token=" + r.token()
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"two lengths":           {r.head("POST /signout", form, fmt.Sprint("Content-Length: ", len(token)), "Content-Length: 1") + token, http.StatusBadRequest},
		"negative length":       {r.head("POST /signout", form, "Content-Length: -1") + token, http.StatusBadRequest},
		"signed length":         {r.head("POST /signout", form, fmt.Sprintf("Content-Length: +%d", len(token))) + token, http.StatusBadRequest},
		"length within chunks":  {r.head("POST /signout", form, fmt.Sprint("Content-Length: ", len(token)), "Transfer-Encoding: chunked") + "0\r\n\r\n" + token, http.StatusForbidden},
		"two encodings":         {r.head("POST /signout", form, "Transfer-Encoding: identity, chunked") + "0\r\n\r\n", http.StatusNotImplemented},
		"endless chunk":         {r.head("POST /signout", form, "Transfer-Encoding: chunked") + "FFFFFFFFFFFFFFFF1\r\n", http.StatusBadRequest},
		"form of a megabyte":    {r.head("POST /signout", form, fmt.Sprint("Content-Length: ", 1<<20)) + token + strings.Repeat("&", 1<<20-len(token)), http.StatusRequestEntityTooLarge},
		"two names":             {r.head("GET /more", "Host: prompt64"), http.StatusBadRequest},
		"foreign absolute name": {r.head("GET http://evil.example/more"), http.StatusMisdirectedRequest},
		"name in a name":        {strings.Replace(r.head("GET /more"), "localhost", "localhost@evil.example", 1), http.StatusBadRequest},
		"number for a name":     {strings.Replace(r.head("GET /more"), "localhost", "2130706433", 1), http.StatusMisdirectedRequest},
		"no name":               {strings.Replace(r.head("GET /more"), "Host: localhost\r\n", "", 1), http.StatusBadRequest},
		"no name, as of old":    {"GET /healthz HTTP/1.0\r\n\r\n", http.StatusMisdirectedRequest},
		"flood of headers":      {r.head("GET /more", strings.Split(strings.Repeat("X-A: b\n", 5000)+"X-A: b", "\n")...), http.StatusRequestHeaderFieldsTooLarge},
		"huge cookie":           {r.head("GET /more", "Cookie: a="+strings.Repeat("x", 100_000)), http.StatusRequestHeaderFieldsTooLarge},
		"way out":               {r.head("GET /page.css/..%2f..%2fgo.mod"), http.StatusNotFound},
		"end of a text":         {r.head("GET /page.css%00"), http.StatusNotFound},
		"way within":            {r.head("GET /session/..%2f1"), http.StatusNotFound},
	} {
		if res := r.ask(at, c.request); res.StatusCode != c.status || strings.Contains(res.body, r.cookie) {
			t.Errorf("%s: status %d, want %d: %s", name, res.StatusCode, c.status, words(res.body))
		}
	}
	r.says(r.get("/more"), http.StatusOK, "Sign out")
}
