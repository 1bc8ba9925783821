package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/web"
)

// table is one that has moved on since it was looked at: it lists what a test wants,
// and refuses what a test wants.
type table struct {
	listed  []lease.Info
	refusal error
}

func (t *table) Snapshot() []lease.Info                  { return t.listed }
func (t *table) Watch(int, uint64) (*lease.Watch, error) { return nil, t.refusal }

func (t *table) Transcript(context.Context, int) ([]lease.Said, error) { return nil, t.refusal }

func TestConversationIsShownAsItsC64IsAndAsItsTurnIs(t *testing.T) {
	k := &table{}
	r := ready(t, func(c *web.Config) { c.Conversations = k })
	for _, c := range []struct {
		info lease.Info
		want []string
	}{
		{lease.Info{ID: 3}, []string{"Conversation 3", "its C64 is away", "ready for a prompt"}},
		{lease.Info{ID: 3, Session: "a <b>game"}, []string{"a <b>game"}},
		{lease.Info{ID: 3, Attached: true, Addr: "10.0.0.64"}, []string{"C64 at 10.0.0.64"}},
		{lease.Info{ID: 3, Attached: true, Stale: true, Addr: "10.0.0.64"}, []string{"C64 at 10.0.0.64, without a sign of life"}},
		{lease.Info{ID: 3, Turn: "WORKING"}, []string{"the agent works"}},
		{lease.Info{ID: 3, Turn: "WAITING FOR YOU"}, []string{"the agent waits for an answer at the C64"}},
		{lease.Info{ID: 3, Turn: "CANCELLING"}, []string{"the turn is being cancelled"}},
		{lease.Info{ID: 3, Turn: "NO ANSWER"}, []string{"it is stuck, and given up in a moment"}},
	} {
		k.listed = []lease.Info{c.info}
		res := r.get("/session")
		r.says(res, http.StatusOK, c.want...)
		if strings.Contains(res.body, "<b>") {
			t.Error("a name went into the page as it is")
		}
	}
}

func TestConversationThatCannotBeReadIsToldInWords(t *testing.T) {
	k := &table{listed: []lease.Info{{ID: 7}}}
	r := ready(t, func(c *web.Config) { c.Conversations = k })
	for _, c := range []struct {
		refusal error
		status  int
		follow  int // status of the stream
		words   string
	}{
		{fmt.Errorf("read: %w", lease.ErrNoLease), http.StatusNotFound, http.StatusNoContent, "There is no such conversation any more"},
		{fmt.Errorf("read: %w", lease.ErrWatched), http.StatusServiceUnavailable, http.StatusServiceUnavailable, "Too many browsers watch already. Close one of them."},
		{errors.New("the lease hangs"), http.StatusInternalServerError, http.StatusInternalServerError, "This did not work: the lease hangs"},
	} {
		k.refusal = c.refusal
		for _, path := range []string{"", "/text", "/markdown"} {
			res := r.get("/session/7" + path)
			r.says(res, c.status, c.words)
			if d := res.Header.Get("Content-Disposition"); d != "" {
				t.Errorf("%s: it is handed out as %s", path, d)
			}
		}
		if res := r.get("/session/7/events"); res.StatusCode != c.follow || c.follow == http.StatusNoContent && res.body != "" {
			t.Errorf("%v: the stream: %d %s", c.refusal, res.StatusCode, words(res.body))
		}
	}
}

func TestTooManyWhoReadAlongAreToldAndTheOthersGoOn(t *testing.T) {
	r, k := liveRig(t)
	k.prompt("hello")
	var all []*lease.Watch
	for range 32 {
		w, err := k.table.Watch(1, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	for _, path := range []string{"", "/text", "/markdown", "/events"} {
		r.says(r.get("/session/1"+path), http.StatusServiceUnavailable, "Too many browsers watch already. Close one of them.")
	}
	if _, err := all[0].Next(t.Context()); err != nil {
		t.Errorf("one of the others: %v", err)
	}
	for _, w := range all {
		w.Close()
	}
	r.says(r.get("/session/1"), http.StatusOK, "hello")
}

// Somebody signs the browser out between its request and the first event.
func TestNothingIsSentToABrowserThatIsSignedOutMeanwhile(t *testing.T) {
	for _, query := range []string{"", "?from=formerstart-7"} {
		live, k := liveRig(t)
		k.prompt("hello")
		between := &meanwhile{Table: k.table}
		r := rigOn(t, live.store, func(c *web.Config) { c.Conversations = between })
		r.signIn()
		cookie := r.cookie
		between.do = func() {
			between.do = nil
			r.post("/signout", url.Values{})
			r.cookie = cookie
		}
		res := r.followAt(r.serve(), "/session/1/events"+query)
		text, err := io.ReadAll(res.Body)
		if err != nil || strings.Contains(string(text), "hello") || strings.Contains(string(text), "reset") || !strings.Contains(string(text), "You are signed out") {
			t.Errorf("%q: %q, %v", query, text, err)
		}
	}
}

// meanwhile is a table at whose listing something happens.
type meanwhile struct {
	*lease.Table
	do func()
}

func (m *meanwhile) Snapshot() []lease.Info {
	all := m.Table.Snapshot()
	if m.do != nil {
		m.do()
	}
	return all
}
