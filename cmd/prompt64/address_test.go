package main

import "testing"

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
