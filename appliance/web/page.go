package web

import (
	"net/http"

	"github.com/prompt64/prompt64/appliance/config"
)

// page is one of the pages, in a file of its own.
type page struct {
	path   string // where it is; empty: not in the navigation
	label  string // in the navigation
	icon   string
	aside  bool // on a phone it is behind More
	routes []route
}

// route is what answers a request.
type route struct {
	pattern string // as http.ServeMux reads it, with its method
	who     access
	do      func(*visit) error
}

// access says who may use a route.
type access uint8

const (
	signedIn  access = iota // whoever knows the password
	anyone                  // always; it changes nothing and tells no secret
	firstOne                // the local network, while there never was a password
	outside                 // whoever is not signed in yet
	shown                   // as signedIn, but open while the settings are lost
	uploading               // as signedIn, and it checks the token by itself
)

// mode follows from the settings.
type mode uint8

const (
	normal  mode = iota
	fresh        // no password was ever set
	closed       // the settings or their password are lost
	barring = "The settings of this device were lost, so nothing can be changed here. Home says what to do."
)

func (s *Site) mode() mode {
	state := s.Settings.State()
	switch {
	case state.Setup:
		return fresh
	case state.Source == config.Lost, s.Settings.Settings().Password.Empty():
		return closed
	}
	return normal
}

// routes puts all pages together.
func (s *Site) routes() http.Handler {
	mux := http.NewServeMux()
	for _, p := range pages() {
		for _, r := range p.routes {
			mux.Handle(r.pattern, s.answer(r))
		}
	}
	mux.Handle("/", s.answer(route{"/", anyone, func(*visit) error {
		return fault{http.StatusNotFound, "There is no such page.", nil}
	}}))
	return mux
}

// answer lets a request through to its route, or says why not.
func (s *Site) answer(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := s.visit(w, r)
		err := v.admit(rt.who)
		if err == nil && r.Method == http.MethodPost && rt.who != uploading {
			err = v.checkForm()
		}
		if err == nil {
			err = rt.do(v)
		}
		if err != nil {
			v.drain()
			v.fail(err)
		}
	})
}

// admit decides whether this visitor may use a route; an elsewhere sends a
// browser to where it may go.
func (v *visit) admit(who access) error {
	reading := v.r.Method != http.MethodPost
	switch mode := v.site.mode(); {
	case who == anyone:
		return nil
	case mode == fresh && !isLocal(v.from()):
		return fault{http.StatusForbidden, "This device has no password yet. It can be set from its own network only: " +
			"open this page by the device's IPv4 address, from a phone or computer on the same network.", nil}
	case mode == fresh && who == firstOne, mode == closed && who == shown:
		return nil
	case mode == fresh && reading:
		return elsewhere("/welcome")
	case mode == closed && reading:
		return elsewhere("/")
	case mode == fresh:
		return fault{http.StatusForbidden, "Set a password first.", nil}
	case mode == closed:
		return fault{http.StatusForbidden, barring, nil}
	case who == firstOne, who == outside && v.session != nil:
		return elsewhere("/")
	case who == outside, v.session != nil:
		return nil
	case reading:
		return elsewhere("/signin")
	}
	return fault{http.StatusForbidden, "You are signed out. Nothing was changed: sign in and send the form again.", nil}
}
