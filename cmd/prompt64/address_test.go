package main

import (
	"strings"
	"testing"
)

func TestAddressIsHostAndPort(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:6464", ":0", "[::1]:80", "pi.lan:65535", "localhost:0"} {
		if err := checkAddress(addr); err != nil {
			t.Errorf("%q: %v", addr, err)
		}
	}
	for _, addr := range []string{"", "6464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "::1:80", "a:b:c"} {
		if err := checkAddress(addr); err == nil {
			t.Errorf("%q was taken", addr)
		}
	}
}

func TestListenerIsAtTheAddressThatWasAsked(t *testing.T) {
	for asked, want := range map[string]string{"0.0.0.0:0": "0.0.0.0:", "127.0.0.1:0": "127.0.0.1:"} {
		l, err := listen("C64s", "-listen", asked)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if got := l.Addr().String(); !strings.HasPrefix(got, want) || strings.HasSuffix(got, ":0") {
			t.Errorf("asked for %s, listens on %s", asked, got)
		}
	}
}
