package web_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
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

func TestEachTroubleThatAPageCanMendLeadsToItAndTheFirstIsTheProminentOne(t *testing.T) {
	damage := ""
	r := ready(t, func(c *web.Config) {
		c.Damage, c.Erase = func() string { return damage }, func() error { return nil }
		c.Tree = func(context.Context) health.Report {
			return health.Report{Nodes: []health.Node{
				{ID: health.Power, Name: "Power", State: health.Warn, Detail: "hot"},
				{ID: health.Data, Name: "Data", State: health.Warn, Detail: "little"},
				{ID: health.Wifi, Name: "Wi-Fi", State: health.Fail, Detail: "not joined"},
				{ID: health.Agent, Name: "Agent", State: health.Fail, Detail: "nobody"},
				{ID: health.Network, Name: "Network", State: health.Unknown, Waits: health.Wifi, Detail: "waits for Wi-Fi"},
				{ID: health.Serial, Name: "Serial", State: health.OK, Detail: "there"},
				{ID: health.C64, Name: "C64", State: health.Warn, Detail: "no sign of life"},
			}}
		}
	})
	links := func() (got []string) {
		_, main, _ := strings.Cut(r.get("/").body, "<main")
		for _, m := range regexp.MustCompile(`class="button" href="([^"]+)">([^<]+)<`).FindAllStringSubmatch(main, -1) {
			got = append(got, m[2]+" "+m[1])
		}
		return got
	}
	want := []string{"Mend it /setup/wifi", "Open Workspaces /setup/workspaces", "Open Wi-Fi /setup/wifi", "Open Agent /setup/agent", "Open C64 /c64"}
	if got := links(); !slices.Equal(got, want) {
		t.Errorf("Home leads to %q, want %q", got, want)
	}
	damage = "the card is damaged"
	if got := links(); !slices.Contains(got, "Open Erase /erase") {
		t.Errorf("a damaged card leads to %q", got)
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
