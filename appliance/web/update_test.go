package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/web"
)

// updates is a device that is updated as a test wants it.
type updates struct {
	state   update.State
	refusal error
	got     []byte
	size    int64
	consent update.Consent
	calls   []string
}

func (u *updates) State() update.State { return u.state }

func (u *updates) Receive(_ context.Context, r io.Reader, size int64, c update.Consent) error {
	u.calls = append(u.calls, "receive")
	u.size, u.consent = size, c
	if u.refusal != nil {
		return u.refusal // before all of it was read
	}
	var err error
	u.got, err = io.ReadAll(r)
	return err
}

func (u *updates) Revert(context.Context) error {
	u.calls = append(u.calls, "revert")
	return u.refusal
}

func (u *updates) RebootNow() { u.calls = append(u.calls, "now") }

// updating makes pages with a browser that is signed in.
func updating(t *testing.T) (*rig, *updates) {
	t.Helper()
	u := &updates{state: update.State{Phase: update.Idle, Running: "v1.2.3"}}
	return ready(t, func(c *web.Config) { c.Updates = u }), u
}

// sendBundle sends the form with a file; fields come before it.
func (r *rig) sendBundle(file []byte, fields ...string) answer {
	r.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		if err := form.WriteField(name, value); err != nil {
			r.t.Fatal(err)
		}
	}
	part, err := form.CreateFormFile("bundle", "../../etc/passwd")
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := part.Write(file); err != nil {
		r.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		r.t.Fatal(err)
	}
	req := r.request("POST", "/update/bundle", &body)
	req.Header.Set("Content-Type", form.FormDataContentType())
	return r.send(req)
}

func TestUploadedUpdateArrivesAsItIs(t *testing.T) {
	r, u := updating(t)
	file := bytes.Repeat([]byte("bundle\r\n--\x00"), 200_000)
	res := r.sendBundle(file, "token="+r.token(), "older=on")
	r.leadsTo(res, "/update")
	if !bytes.Equal(u.got, file) || u.size < int64(len(file)) || u.consent != (update.Consent{Older: true}) {
		t.Errorf("%d bytes of at most %d arrived, with %+v", len(u.got), u.size, u.consent)
	}
}

func TestUpdateIsTakenFromNobodyElse(t *testing.T) {
	r, u := updating(t)
	for want, res := range map[string]answer{
		"too old":                 r.sendBundle([]byte("x"), "token=guessed"),
		"Choose the file":         r.sendWithoutFile(),
		"Only a form with a file": r.plainBundle(),
	} {
		if !strings.Contains(res.body, want) {
			t.Errorf("%s: %d %s", want, res.StatusCode, res.body)
		}
	}
	token := r.token()
	r.cookie = ""
	if res := r.sendBundle([]byte("x"), "token="+token); res.StatusCode != http.StatusForbidden {
		t.Errorf("signed out: %d", res.StatusCode)
	}
	if len(u.calls) != 0 {
		t.Errorf("it did %q", u.calls)
	}
}

func (r *rig) sendWithoutFile() answer {
	r.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("token", r.token())
	_ = form.Close()
	req := r.request("POST", "/update/bundle", &body)
	req.Header.Set("Content-Type", form.FormDataContentType())
	return r.send(req)
}

func (r *rig) plainBundle() answer {
	r.t.Helper()
	req := r.form("/update/bundle", url.Values{"bundle": {"x"}})
	return r.send(req)
}

func TestRefusedUpdateIsToldAndWhatMayBeAllowedIsOffered(t *testing.T) {
	r, u := updating(t)
	for box, refusal := range map[string]error{`name="older"`: update.ErrOlder, `name="guard"`: update.ErrOtherGuard} {
		u.refusal = refusal
		res := r.sendBundle(bytes.Repeat([]byte("x"), 1<<20), "token="+r.token())
		if res.StatusCode != http.StatusBadRequest || !strings.Contains(res.body, box) {
			t.Errorf("%s: %d %s", box, res.StatusCode, res.body)
		}
	}
	u.refusal = errors.New("the update is not <signed>")
	if res := r.sendBundle([]byte("x"), "token="+r.token()); !strings.Contains(res.body, "The update is not &lt;signed&gt;.") || strings.Contains(res.body, `name="older"`) {
		t.Errorf("%d %s", res.StatusCode, res.body)
	}
	u.refusal = update.ErrBusy
	if res := r.sendBundle([]byte("x"), "token="+r.token()); res.StatusCode != http.StatusConflict {
		t.Errorf("busy: %d", res.StatusCode)
	}
}

func TestUpdatePageShowsEveryPhase(t *testing.T) {
	r, u := updating(t)
	for want, s := range map[string]update.State{
		"received and checked":              {Phase: update.Verify, Done: 1, Total: 2},
		`value="50"`:                        {Phase: update.Write, Done: 1, Total: 2, To: "v2.0.0"},
		"being compared":                    {Phase: update.ReadBack},
		"waits for a turn of ADA&#39;S C64": {Phase: update.Armed, Waits: "a turn of ADA'S C64"},
		"no clock":                          {Phase: update.Trial, Trouble: "no clock"},
		"starts once more":                  {Phase: update.Committed},
		"Back to v1.0.0":                    {Phase: update.Settled, Former: "v1.0.0"},
		"v2.0.0 was rolled back: it hung":   {Phase: update.RolledBack, Last: &update.Result{Outcome: update.WentBack, Version: "v2.0.0", Reason: "it hung", At: time.Now()}},
	} {
		u.state = s
		if res := r.get("/update"); res.StatusCode != http.StatusOK || !strings.Contains(res.body, want) {
			t.Errorf("%s: %d %s", s.Phase, res.StatusCode, res.body)
		}
		if s.Phase.Under() == strings.Contains(r.get("/update").body, `type="file"`) {
			t.Errorf("%s: an update can be sent", s.Phase)
		}
		part := r.get("/update/state")
		if over := part.Header.Get("X-Reload") != ""; over == s.Phase.Under() {
			t.Errorf("%s: the page is read again: %v", s.Phase, over)
		}
	}
}

func TestUpdateStateIsToldToPrograms(t *testing.T) {
	r, u := updating(t)
	u.state = update.State{Phase: update.Settled, Running: "v1.2.3", Last: &update.Result{Outcome: update.Installed}}
	var got update.State
	if err := json.Unmarshal([]byte(r.get("/update/state.json").body), &got); err != nil || got.Running != "v1.2.3" || got.Last.Outcome != update.Installed {
		t.Errorf("%+v, %v", got, err)
	}
	r.cookie = ""
	if res := r.get("/update/state.json"); res.StatusCode != http.StatusSeeOther {
		t.Errorf("signed out: %d", res.StatusCode)
	}
}

func TestWayBackAndRestartAreButtons(t *testing.T) {
	r, u := updating(t)
	res, _ := r.post("/update/revert", nil)
	r.leadsTo(res, "/update")
	res, _ = r.post("/update/now", nil)
	r.leadsTo(res, "/update")
	u.refusal = errors.New("the former version is not on the card any more")
	if res, _ := r.post("/update/revert", nil); !strings.Contains(res.body, "not on the card any more") {
		t.Errorf("%d %s", res.StatusCode, res.body)
	}
	if got := strings.Join(u.calls, " "); got != "revert now revert" {
		t.Errorf("it did %s", got)
	}
}

func TestMachineThatIsNoDeviceHasNoUpdates(t *testing.T) {
	r := ready(t, nil)
	if res := r.get("/update"); !strings.Contains(res.body, "cannot update itself") {
		t.Errorf("%s", res.body)
	}
	if res := r.sendBundle([]byte("x"), "token="+r.token()); res.StatusCode != http.StatusNotFound {
		t.Errorf("%d", res.StatusCode)
	}
}
