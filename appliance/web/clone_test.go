package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/folders/folderstest"
	"github.com/prompt64/prompt64/appliance/web"
)

// A repository that is sent in two parts, the first of them so large.
const (
	sprites   = 200
	firstPart = 200 << 10 // of some 440 KiB
)

// cloning makes pages whose workspaces are cloned from a server.
func cloning(t *testing.T, s *folderstest.Server) (r *rig, dir string) {
	t.Helper()
	dir = t.TempDir()
	keeper, err := folders.Open(dir, folders.Options{CAFile: s.CAFile})
	if err != nil {
		t.Fatal(err)
	}
	r = ready(t, func(c *web.Config) { c.Workspaces = keeper })
	t.Cleanup(func() {
		r.site.Close()
		_ = keeper.Close()
	})
	return r, dir
}

var receiving = regexp.MustCompile(`receiving: (\d+) %`)

func TestRepositoryIsClonedFromItsServerWithProgressAndListed(t *testing.T) {
	s := folderstest.Start(t, sprites)
	r, dir := cloning(t, s)
	pack := s.Hold(firstPart)
	defer pack.Cut()
	res, _ := r.post("/setup/workspaces/clone", url.Values{"url": {s.URL}})
	r.leadsTo(res, "/setup/workspaces")
	<-pack.Held
	for _, path := range []string{"/setup/workspaces", "/jobs/clone"} {
		eventually(t, "progress at "+path, func() bool { return receiving.MatchString(words(r.get(path).body)) })
	}
	page := r.get("/setup/workspaces")
	r.says(page, http.StatusOK, "Cloning game", "Stop", "There is none yet")
	res, _ = r.post("/setup/workspaces/clone", url.Values{"url": {s.URL}, "name": {"other"}})
	r.says(res, http.StatusConflict, "Another repository is being cloned: wait for it to end.")
	pack.Send()
	eventually(t, "the end", func() bool { return r.get("/jobs/clone").Header.Get("X-Reload") != "" })
	r.says(r.get("/setup/workspaces"), http.StatusOK, "Cloning game Done.", "game git repository")
	if text, err := os.ReadFile(filepath.Join(dir, "game/src/game.bas")); err != nil || !strings.Contains(string(text), "PRINT") {
		t.Errorf("the file: %q, %v", text, err)
	}
	res, _ = r.post("/setup/workspaces/clone", url.Values{"url": {s.URL}})
	r.leadsTo(res, "/setup/workspaces")
	eventually(t, "words", func() bool {
		return strings.Contains(words(r.get("/setup/workspaces").body), "of this name already: choose another name.")
	})
}

func TestCloneThatIsCutHalfWaySaysSoOnThePageAndLeavesNothing(t *testing.T) {
	s := folderstest.Start(t, sprites)
	r, dir := cloning(t, s)
	pack := s.Hold(firstPart)
	res, _ := r.post("/setup/workspaces/clone", url.Values{"url": {s.URL}})
	r.leadsTo(res, "/setup/workspaces")
	<-pack.Held
	pack.Cut()
	eventually(t, "the end", func() bool { return r.get("/jobs/clone").Header.Get("X-Reload") != "" })
	r.says(r.get("/setup/workspaces"), http.StatusOK, "hung up half-way: try again.", "There is none yet")
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestCloneIsFollowedOnThePageUntilItIsListed(t *testing.T) {
	for _, width := range journeys() {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			s := folderstest.Start(t, sprites)
			h := furnished(t, func(o *folders.Options) { o.CAFile = s.CAFile })
			pack := s.Hold(firstPart)
			defer pack.Cut()
			ctx := tab(t, width, 640)
			signInTab(t, ctx, h)
			do(t, ctx, chromedp.Navigate(h.url+"/setup/workspaces"),
				chromedp.SendKeys(chromedp.CSS("#url"), s.URL), press("Clone it"), shows("Cloning game"),
				until(`/receiving: \d+ %/i.test(document.body.innerText) && document.querySelector("progress").value > 0`))
			look(t, ctx, "a clone under way")
			pack.Send()
			do(t, ctx, shows("Done."), shows("game\ngit repository"))
			look(t, ctx, "a clone that has ended")
		})
	}
}
