package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/minutes"
)

// Conversations are those with the C64s, to read along; a lease.Table is.
type Conversations interface {
	Snapshot() []lease.Info
	Watch(id int, from uint64) (*lease.Watch, error)
	Transcript(ctx context.Context, id int) ([]lease.Said, error)
}

var _ Conversations = (*lease.Table)(nil)

// sessionPage shows what is said, live. Nothing on it can be answered: that is
// for who sits at the C64.
func sessionPage() page {
	return page{path: "/session", label: "Session", icon: "session", routes: []route{
		{"GET /live.js", anyone, static("live.js")},
		{"GET /live.css", anyone, static("live.css")},
		{"GET /session", signedIn, listSessions},
		{"GET /session/{id}", signedIn, showSession},
		{"GET /session/{id}/events", signedIn, followSession},
		{"GET /session/{id}/text", signedIn, sendMinutes("txt", "text/plain; charset=utf-8", minutes.Text)},
		{"GET /session/{id}/markdown", signedIn, sendMinutes("md", "text/markdown; charset=utf-8", minutes.Markdown)},
	}}
}

// talk is a conversation as the pages show it.
type talk struct {
	lease.Info
	Title string
}

func talkOf(i lease.Info) talk {
	t := talk{i, i.Session}
	if t.Title == "" {
		t.Title = fmt.Sprintf("Conversation %d", i.ID)
	}
	return t
}

// Where says how its C64 is.
func (t talk) Where() string {
	switch {
	case !t.Attached:
		return "its C64 is away"
	case t.Stale:
		return "C64 at " + t.Addr + ", without a sign of life"
	}
	return "C64 at " + t.Addr
}

// Now is the turn in words.
func (t talk) Now() string {
	switch t.Turn {
	case "WORKING":
		return "the agent works"
	case "WAITING FOR YOU":
		return "the agent waits for an answer at the C64"
	case "CANCELLING":
		return "the turn is being cancelled"
	case "NO ANSWER":
		return "it is stuck, and given up in a moment"
	}
	return "ready for a prompt"
}

// talks are the conversations, the newest first.
func (s *Site) talks() []talk {
	if s.Conversations == nil {
		return nil
	}
	var all []talk
	for _, i := range slices.Backward(s.Conversations.Snapshot()) {
		all = append(all, talkOf(i))
	}
	return all
}

func listSessions(v *visit) error {
	return v.show(http.StatusOK, "sessions", "Session", v.site.talks())
}

var errNoTalk = fault{http.StatusNotFound, "There is no such conversation any more: it ends two minutes after its C64 left.", nil}

// talk finds the conversation of the address.
func (v *visit) talk() (talk, error) {
	id, err := strconv.Atoi(v.r.PathValue("id"))
	if err != nil {
		return talk{}, errNoTalk
	}
	for _, t := range v.site.talks() {
		if t.ID == id {
			return t, nil
		}
	}
	return talk{}, errNoTalk
}

// sessionData is what templates/session.html shows.
type sessionData struct {
	Talk  talk
	Items []minutes.Item
	From  string
}

// said returns the conversation of the address and what was said in it.
func (v *visit) said() (talk, []lease.Said, error) {
	t, err := v.talk()
	if err != nil {
		return t, nil, err
	}
	said, err := v.site.Conversations.Transcript(v.r.Context(), t.ID)
	return t, said, talkFault(err)
}

// talkFault puts what a table of leases refuses into words.
func talkFault(err error) error {
	switch {
	case errors.Is(err, lease.ErrNoLease):
		return errNoTalk
	case errors.Is(err, lease.ErrWatched):
		return errManyStreams
	}
	return err
}

func showSession(v *visit) error {
	t, said, err := v.said()
	if err != nil {
		return err
	}
	data := sessionData{Talk: t, Items: minutes.Joined(said), From: v.site.streams.from(0)}
	if n := len(said); n > 0 {
		data.From = v.site.streams.from(said[n-1].Next)
	}
	return v.show(http.StatusOK, "session", t.Title, data)
}

// sendMinutes hands the minutes out as a file.
func sendMinutes(ending, kind string, write func(title string, said []lease.Said) string) func(*visit) error {
	return func(v *visit) error {
		t, said, err := v.said()
		if err != nil {
			return err
		}
		v.attach(fmt.Sprintf("prompt64-session-%d.%s", t.ID, ending), kind, []byte(write(t.Title, said)))
		return nil
	}
}

// watch reads the conversation of the address along.
func (v *visit) watch(from uint64) (*lease.Watch, error) {
	t, err := v.talk()
	if err != nil {
		return nil, err
	}
	w, err := v.site.Conversations.Watch(t.ID, from)
	return w, talkFault(err)
}

// followSession sends what is said from a position on. A browser whose
// conversation is over is told not to come back.
func followSession(v *visit) error {
	from, known := v.position()
	w, err := v.watch(from)
	switch {
	case errors.Is(err, errNoTalk):
		v.w.WriteHeader(http.StatusNoContent) // the one answer after which an EventSource stays away
		return nil
	case err != nil:
		return err
	}
	defer w.Close()
	return v.stream(!known, func(ctx context.Context, st *stream) error {
		for {
			err := st.turn(ctx, func(ctx context.Context) error {
				said, err := w.Next(ctx)
				if err != nil {
					return err
				}
				for _, it := range minutes.Items(said) {
					if err := st.send("said", it.Next, it); err != nil {
						return err
					}
				}
				return nil
			})
			if errors.Is(err, lease.ErrOver) {
				return st.over("This conversation has ended.")
			}
			if err != nil {
				return err
			}
		}
	})
}
