package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/web"
)

func TestHealthIsToldToThisMachineAlone(t *testing.T) {
	tree := health.New(health.Func{Node: health.Node{ID: "clock", Name: "Clock"}, Do: func(context.Context) health.Node {
		return health.Node{State: health.Fail, Detail: "it says 1970"}
	}})
	r := newRig(t, func(c *web.Config) { c.Tree = tree.Run }) // no password: even then
	if res := r.get("/health.json"); res.StatusCode != http.StatusForbidden || strings.Contains(res.body, "1970") {
		t.Errorf("a neighbour got %d: %s", res.StatusCode, res.body)
	}
	for _, from := range []string{"127.0.0.1:4000", "[::1]:4000"} {
		r.from = from
		res := r.get("/health.json")
		var report health.Report
		if err := json.Unmarshal([]byte(res.body), &report); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v: %s", from, res.StatusCode, err, res.body)
		}
		if n, ok := report.Node("clock"); !ok || n.State != health.Fail || n.Detail != "it says 1970" {
			t.Errorf("%s: %+v", from, report)
		}
		if kind := res.Header.Get("Content-Type"); kind != "application/json" {
			t.Errorf("%s: type %q", from, kind)
		}
	}
}

func TestHealthThatIsNotKnownIsNotThere(t *testing.T) {
	r := newRig(t, nil)
	r.from = "127.0.0.1:4000"
	if res := r.get("/health.json"); res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", res.StatusCode)
	}
}
