package web_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/web"
)

func TestHomeSaysTheNextStepOnTheWayToAConversation(t *testing.T) {
	r, _, _, _ := equipped(t)
	next := func(want ...string) {
		t.Helper()
		r.says(r.get("/"), http.StatusOK, want...)
	}
	next("Make a pairing code")
	r.post("/setup/pairing/new", nil)
	next("Choose the agent")
	r.post("/setup/agent", map[string][]string{"name": {"demo"}})
	next("Make a workspace")
	r.post("/setup/workspaces/new", map[string][]string{"name": {"game"}})
	next("Your C64 is connected")
}

func TestHomeLeadsToWhatFailedBeforeAnythingElse(t *testing.T) {
	r := ready(t, func(c *web.Config) {
		c.Tree = func(context.Context) health.Report {
			return health.Report{Nodes: []health.Node{
				{ID: "clock", Name: "Clock", State: health.Warn, Detail: "not set", Hint: "wait"},
				{ID: "wifi", Name: "Wi-Fi", State: health.Fail, Detail: "wrong <password>", Hint: "enter the password again"},
			}}
		}
	})
	res := r.get("/")
	r.says(res, http.StatusOK, "?Wi-Fi error", "Enter the password again.", "wrong <password>")
	if !strings.Contains(res.body, `href="/setup/wifi"`) || strings.Contains(res.body, "<password>") {
		t.Error("there is no way to mend it, or a text went into the page as it is")
	}
}

func TestHomeDrawsEachNodeBeneathWhatItNeeds(t *testing.T) {
	r := ready(t, func(c *web.Config) {
		c.Tree = func(context.Context) health.Report {
			return health.Report{Nodes: []health.Node{
				{ID: "power", Name: "Power", State: health.OK},
				{ID: "serial", Name: "Serial", State: health.Off},
				{ID: "net", Name: "Net", State: health.OK, Needs: []string{"power"}},
				{ID: "bridge", Name: "Bridge", State: health.OK, Needs: []string{"power", "net", "nothing"}},
			}}
		}
	})
	var got []string
	for _, m := range regexp.MustCompile(`class="depth(\d)".*?<strong>(\w+)<`).FindAllStringSubmatch(r.get("/").body, -1) {
		got = append(got, m[1]+m[2])
	}
	if strings.Join(got, " ") != "0Power 1Net 2Bridge 0Serial" {
		t.Errorf("tree %v", got)
	}
}
