package web_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
)

func TestMachineThatIsNoDeviceSaysSoToEveryButtonAndProgram(t *testing.T) {
	r := ready(t, nil)
	const words = "This program does not run from a Prompt64 card, so it cannot update itself."
	for _, path := range []string{"/update/now", "/update/revert"} {
		res, _ := r.post(path, nil)
		r.says(res, http.StatusNotFound, words)
	}
	r.says(r.get("/update/state.json"), http.StatusNotFound, words)
	r.says(r.sendBundle([]byte("x"), "token="+r.token()), http.StatusNotFound, words)
	if part := r.get("/update/state"); part.StatusCode != http.StatusOK || part.Header.Get("X-Reload") == "" {
		t.Errorf("a page that waits for it: %d %v", part.StatusCode, part.Header)
	}
}

func TestEveryRefusalOfAnUpdateIsToldWithWhatHelps(t *testing.T) {
	r, u := updating(t)
	for _, c := range []struct {
		refusal error
		fields  []string
		status  int
		boxes   string // that are offered
	}{
		{update.ErrBusy, nil, http.StatusConflict, ""},
		{update.ErrNotReady, nil, http.StatusConflict, ""},
		{update.ErrOlder, nil, http.StatusBadRequest, "older"},
		{update.ErrOtherGuard, nil, http.StatusBadRequest, "guard"},
		{update.ErrOtherGuard, []string{"older=on"}, http.StatusBadRequest, "older guard"}, // what was allowed stays so
		{update.ErrBusy, []string{"older=on", "guard=on"}, http.StatusConflict, "older guard"},
		{errors.New("the card is <full>"), []string{"older=off", "guard="}, http.StatusBadRequest, ""},
	} {
		u.refusal = c.refusal
		res := r.sendBundle([]byte("x"), append([]string{"token=" + r.token()}, c.fields...)...)
		said := c.refusal.Error()
		r.says(res, c.status, strings.ToUpper(said[:1])+said[1:]+".")
		var boxes []string
		for _, name := range []string{"older", "guard"} {
			if strings.Contains(res.body, `name="`+name+`"`) {
				boxes = append(boxes, name)
			}
		}
		if strings.Join(boxes, " ") != c.boxes || !strings.Contains(res.body, `type="file"`) {
			t.Errorf("%v: boxes %q", c.refusal, boxes)
		}
		if res, _ := r.post("/update/revert", nil); res.StatusCode != http.StatusConflict || !strings.Contains(words(res.body), said[1:]) {
			t.Errorf("the way back: %d %s", res.StatusCode, words(res.body))
		}
	}
}

func TestUpdateThatIsNoneIsSaidSo(t *testing.T) {
	r, u := updating(t)
	u.state = update.State{Phase: update.Phase("odd"), Running: "v1.2.3"}
	r.says(r.get("/update"), http.StatusOK, "v1.2.3")
	// A time that JSON has no words for.
	u.state = update.State{Last: &update.Result{At: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}}
	r.says(r.get("/update/state.json"), http.StatusInternalServerError, "This did not work")
}
