package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/web"
)

// card is a device's, with a data partition that may be damaged.
type card struct {
	damage string
	full   bool
	erased int
	err    error
}

func (c *card) on(cfg *web.Config) {
	cfg.Damage = func() string { return c.damage }
	cfg.Erase = func() error { c.erased++; return c.err }
	cfg.Tree = func(context.Context) health.Report {
		n := health.Node{ID: health.Data, Name: "Data folder", State: health.OK}
		if c.damage != "" || c.full {
			n.State, n.Detail, n.Hint = health.Fail, c.damage, "Copy what you need."
		}
		return health.Report{Nodes: []health.Node{n}}
	}
}

func TestDamagedDataPartitionIsErasedByItsOwnerOnly(t *testing.T) {
	c := &card{damage: "the card's data partition is damaged: 3 errors"}
	r := ready(t, c.on)
	home := r.get("/")
	r.says(home, http.StatusOK, "?Data folder error", "3 errors", "Copy what you need.")
	if !strings.Contains(home.body, `href="/erase"`) {
		t.Error("Home does not lead to the page")
	}
	r.says(r.get("/erase"), http.StatusOK, "The card's data partition is damaged: 3 errors.", "Everything on it is lost", "agent that came with the card is gone", "the page Agent downloads and installs Codex again")
	res, _ := r.post("/erase", url.Values{"password": {"wrong horse"}})
	r.says(res, http.StatusForbidden, "That is not the password.")
	if c.erased != 0 {
		t.Fatal("it was erased without the password")
	}
	res, _ = r.post("/erase", url.Values{"password": {password}})
	r.says(res, http.StatusOK, "being made anew")
	if c.erased != 1 || res.Header.Get("Refresh") == "" {
		t.Errorf("erased %d times, and the browser comes back: %q", c.erased, res.Header.Get("Refresh"))
	}
}

func TestErasingThatFailsIsToldOnItsPage(t *testing.T) {
	c := &card{damage: "damaged", err: errors.New("make /perm anew: the boot partition is full")}
	r := ready(t, c.on)
	res, _ := r.post("/erase", url.Values{"password": {password}})
	r.says(res, http.StatusInternalServerError, "the boot partition is full. Try again", "Erase everything")
}

func TestNobodyErasesWhatIsWholeOrWithoutSigningIn(t *testing.T) {
	c := &card{}
	r := ready(t, c.on)
	for _, res := range []answer{r.get("/erase"), first(r.post("/erase", url.Values{"password": {password}}))} {
		r.says(res, http.StatusNotFound, "not damaged")
	}
	c.full = true
	if home := r.get("/").body; !strings.Contains(home, "?Data folder error") || strings.Contains(home, `href="/erase"`) {
		t.Errorf("Home leads to the page while nothing is damaged: %s", words(home))
	}
	c.damage = "damaged"
	r.cookie = ""
	r.leadsTo(r.get("/erase"), "/signin")
	if res, _ := r.post("/erase", url.Values{"password": {password}}); res.StatusCode != http.StatusForbidden {
		t.Errorf("a visitor: %d", res.StatusCode)
	}
	workstation := ready(t, func(cfg *web.Config) { cfg.Damage = func() string { return "damaged" } })
	workstation.says(workstation.get("/erase"), http.StatusNotFound, "not damaged")
	if c.erased != 0 {
		t.Errorf("erased %d times", c.erased)
	}
}

func first(a answer, _ string) answer { return a }
