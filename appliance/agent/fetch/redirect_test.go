package fetch

import (
	"errors"
	"net/http"
	"testing"
)

func TestNoRedirectFromHTTPSToHTTP(t *testing.T) {
	secure, _ := http.NewRequest(http.MethodGet, "https://a.example/x", nil)
	plain, _ := http.NewRequest(http.MethodGet, "http://b.example/x", nil)
	if err := checkRedirect(plain, []*http.Request{secure}); !errors.Is(err, errDowngrade) {
		t.Error(err)
	}
	if err := checkRedirect(secure, []*http.Request{plain}); err != nil {
		t.Error(err)
	}
	if err := checkRedirect(plain, []*http.Request{plain}); err != nil {
		t.Error(err)
	}
	if err := checkRedirect(secure, make([]*http.Request, 10)); err == nil {
		t.Error("eleven redirects")
	}
}

func TestDigestIsReadStrictly(t *testing.T) {
	const hex = "4fcc47ab57f52ff75363951a8761146cd10c8288bd86fed45487dbb204a16b71"
	for _, s := range []string{hex, "sha256:" + hex, " " + hex + "\n", "SHA256:4FCC47AB57F52FF75363951A8761146CD10C8288BD86FED45487DBB204A16B71"} {
		if d, err := ParseDigest(s); err != nil || d.String() != hex {
			t.Errorf("%q: %v, %v", s, d, err)
		}
	}
	for _, s := range []string{"", hex[:63], hex + "00", "sha512:" + hex, "zz" + hex[2:]} {
		if _, err := ParseDigest(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}
