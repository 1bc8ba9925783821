package web_test

import (
	"context"
	"net"
	"testing"

	"github.com/prompt64/prompt64/appliance/web"
)

// serveOn serves until the test ends.
func serveOn(t *testing.T, site *web.Site, l net.Listener) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- site.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		site.Close()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}
