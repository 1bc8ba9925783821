package ultimatetest

import (
	"encoding/json"
	"io"
	"net/http"
	"path"
	"strings"
)

// serve is the device's web server.
func (u *Ultimate) serve(w http.ResponseWriter, r *http.Request) {
	u.enter(r)
	defer u.leave()
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	fault := u.nextFault()
	if u.fail(w, fault) {
		return
	}
	if fault == DropLater {
		u.answer(discard{http.Header{}}, r, body)
		u.breakOff(w, Drop)
		return
	}
	u.answer(w, r, body)
}

func (u *Ultimate) enter(r *http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.requests = append(u.requests, r.Method+" "+r.URL.RequestURI())
	u.at++
	u.worst = max(u.worst, u.at)
}

func (u *Ultimate) leave() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at--
}

func (u *Ultimate) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	route, isAPI := strings.CutPrefix(r.URL.Path, "/v1/")
	switch {
	case u.NoAPI || !isAPI:
		http.NotFound(w, r)
	case len(r.Header["X-Password"]) == 0:
		// The real one compares with a missing text here.
		u.errors(w, http.StatusInternalServerError, "no X-Password header")
	case u.Password != "" && r.Header.Get("X-Password") != u.Password:
		u.errors(w, http.StatusForbidden, "Forbidden.")
	case r.Method == http.MethodGet && route == "version":
		u.json(w, map[string]any{"version": "0.1"})
	case r.Method == http.MethodGet && route == "info" && !u.NoInfo:
		u.json(w, u.identity())
	case r.Method == http.MethodPost && route == "runners:run_prg":
		u.run(w, body)
	case strings.HasPrefix(route, "configs"):
		u.configs(w, r, strings.TrimPrefix(route, "configs"))
	default:
		http.NotFound(w, r)
	}
}

func (u *Ultimate) run(w http.ResponseWriter, body []byte) {
	if len(body) == 0 {
		u.errors(w, http.StatusPreconditionFailed, "Expected Body, but got none.")
		return
	}
	u.mu.Lock()
	u.programs = append(u.programs, body)
	u.mu.Unlock()
	if u.AllOkay {
		u.errors(w, http.StatusOK, "All Okay")
		return
	}
	u.errors(w, http.StatusOK)
}

// categories are those of the device; only one of them has the setting.
func (u *Ultimate) categories() []string {
	all := []string{"Audio Mixer", "Network Settings", "Drive A Settings"}
	if u.Category != "" {
		all = append(all, u.Category)
	}
	return all
}

func (u *Ultimate) configs(w http.ResponseWriter, r *http.Request, rest string) {
	rest, save := strings.CutSuffix(rest, ":save_to_flash")
	parts := strings.Split(strings.TrimPrefix(rest, "/"), "/")
	switch {
	case r.Method == http.MethodPut && save:
		u.save(w, parts[0])
	case r.Method == http.MethodGet && parts[0] == "":
		u.json(w, map[string]any{"categories": u.categories()})
	case r.Method == http.MethodGet && len(parts) == 2:
		u.show(w, parts[0], parts[1])
	case r.Method == http.MethodPut && len(parts) == 2:
		u.set(w, parts[0], parts[1], r.URL.Query().Get("value"))
	default:
		u.errors(w, http.StatusBadRequest, "Path depth exceeds 2.")
	}
}

func (u *Ultimate) matches(pattern, name string) bool {
	if u.NoPatterns {
		return strings.EqualFold(pattern, name)
	}
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(name))
	return ok && err == nil
}

// show answers with every category that matches, and within it with the items that
// do, which may be none.
func (u *Ultimate) show(w http.ResponseWriter, category, item string) {
	answer := map[string]any{}
	for _, c := range u.categories() {
		if !u.matches(category, c) {
			continue
		}
		items := map[string]any{}
		if c == u.Category && u.matches(item, "Command Interface") {
			now, _ := u.Enabled()
			items["Command Interface"] = map[string]any{"current": word(now), "values": []string{"Disabled", "Enabled"}, "default": "Disabled"}
		}
		answer[c] = items
	}
	u.json(w, answer)
}

func word(on bool) string {
	if on {
		return "Enabled"
	}
	return "Disabled"
}

func (u *Ultimate) set(w http.ResponseWriter, category, item, value string) {
	switch {
	case u.Category == "" || !u.matches(category, u.Category):
		u.errors(w, http.StatusNotFound, "There is no config category that matches '"+category+"'")
	case !u.matches(item, "Command Interface"):
		u.errors(w, http.StatusNotFound, "Item '"+item+"' not found in this configuration category ["+u.Category+"].")
	case value != "Enabled" && value != "Disabled":
		u.errors(w, http.StatusBadRequest, "Value '"+value+"' is not a valid choice for item Command Interface")
	default:
		u.mu.Lock()
		u.on = value == "Enabled"
		u.mu.Unlock()
		u.errors(w, http.StatusOK)
	}
}

func (u *Ultimate) save(w http.ResponseWriter, category string) {
	written := []string{}
	if category == "" || !u.SaveAll && u.matches(category, u.Category) {
		u.mu.Lock()
		u.saved = u.on
		u.mu.Unlock()
		written = append(written, u.Category)
	}
	u.json(w, map[string]any{"written": written})
}

// errors answers with a list of errors and nothing else.
func (u *Ultimate) errors(w http.ResponseWriter, status int, list ...string) {
	if list == nil {
		list = []string{}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": list})
}

func (u *Ultimate) json(w http.ResponseWriter, v map[string]any) {
	v["errors"] = []string{}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// discard is an answer that nobody gets.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}
