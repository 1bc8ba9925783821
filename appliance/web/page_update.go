package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/prompt64/prompt64/appliance/update"
)

// updatePage brings newer versions, and goes back to the former one.
func updatePage() page {
	return page{path: "/update", label: "Update", icon: "update", aside: true, routes: []route{
		{"GET /update", signedIn, func(v *visit) error { return v.showUpdate(http.StatusOK, "", update.Consent{}) }},
		{"GET /update/state", signedIn, (*visit).showUpdateState},
		{"GET /update/state.json", signedIn, (*visit).sendUpdateState},
		{"POST /update/now", signedIn, (*visit).restartNow},
		{"POST /update/revert", signedIn, (*visit).revert},
		{uploadPattern, uploading, (*visit).takeUpdate},
	}}
}

// updateView is what the page shows.
type updateView struct {
	On    bool // the device can be updated
	State update.State
	Under bool // an update is under way
	Form  form
}

// Percent is how much of the phase is done.
func (u updateView) Percent() string {
	if u.State.Total <= 0 {
		return ""
	}
	return strconv.FormatInt(min(100, 100*u.State.Done/u.State.Total), 10)
}

// Phase is the phase in words.
func (u updateView) Phase() string { return phases[u.State.Phase] }

// phases are those of an update that is under way.
var phases = map[update.Phase]string{
	update.Verify:    "The update is being received and checked.",
	update.Write:     "The new version is being written beside the running one.",
	update.ReadBack:  "What was written is being compared.",
	update.Armed:     "The new version is ready; the device starts it in a moment.",
	update.Trial:     "The new version is on trial. If it does not do well within five minutes, the former one comes back by itself.",
	update.Committed: "The new version stays. The device starts once more.",
}

func (v *visit) updateView() updateView {
	if v.site.Updates == nil {
		return updateView{}
	}
	s := v.site.Updates.State()
	return updateView{On: true, State: s, Under: s.Phase.Under()}
}

// showUpdate shows the page; wrong is what is wrong with a bundle that was sent, and
// ask what the owner may allow.
func (v *visit) showUpdate(status int, wrong string, ask update.Consent) error {
	view := v.updateView()
	view.Form = form{Error: wrong}
	if ask.Older {
		view.Form.Fields = append(view.Form.Fields, &field{Name: "older", Type: "check",
			Label: "Install it although it is older than what runs"})
	}
	if ask.Guard {
		view.Form.Fields = append(view.Form.Fields, &field{Name: "guard", Type: "check",
			Label: "Install it although it brings another guard"})
	}
	return v.show(status, "update", "Update", view)
}

// showUpdateState is the part of the page that moves. When there is nothing more to
// come, the whole page is read again.
func (v *visit) showUpdateState() error {
	view := v.updateView()
	if !view.Under {
		v.w.Header().Set("X-Reload", "1")
	}
	return v.showPart(http.StatusOK, "update", "update-state", view)
}

// sendUpdateState is for scripts/update.
func (v *visit) sendUpdateState() error {
	if v.site.Updates == nil {
		return notADevice
	}
	body, err := json.Marshal(v.site.Updates.State())
	if err != nil {
		return err
	}
	v.send(http.StatusOK, "application/json", body)
	return nil
}

var notADevice = fault{http.StatusNotFound, "This program does not run from a Prompt64 card, so it cannot update itself.", nil}

func (v *visit) restartNow() error {
	if v.site.Updates == nil {
		return notADevice
	}
	v.site.Updates.RebootNow()
	return v.goTo("/update", "The device starts again at once.")
}

func (v *visit) revert() error {
	if v.site.Updates == nil {
		return notADevice
	}
	if err := v.site.Updates.Revert(v.r.Context()); err != nil {
		return v.showUpdate(http.StatusConflict, sentence(err.Error()), update.Consent{})
	}
	return v.goTo("/update", "The former version is on its way back.")
}

// takeUpdate receives a bundle.
func (v *visit) takeUpdate() error {
	if v.site.Updates == nil {
		return notADevice
	}
	up, err := v.upload("bundle")
	if err != nil {
		return err
	}
	consent := update.Consent{Older: up.has("older"), Guard: up.has("guard")}
	err = v.site.Updates.Receive(v.r.Context(), up, up.size, consent)
	v.drain()
	if err == nil {
		return v.goTo("/update", "The update is sound. It is being installed.")
	}
	v.site.Log.Warn("update refused", "err", err)
	status := http.StatusBadRequest
	if errors.Is(err, update.ErrBusy) || errors.Is(err, update.ErrNotReady) {
		status = http.StatusConflict
	}
	return v.showUpdate(status, sentence(err.Error()), update.Consent{
		Older: consent.Older || errors.Is(err, update.ErrOlder),
		Guard: consent.Guard || errors.Is(err, update.ErrOtherGuard),
	})
}
