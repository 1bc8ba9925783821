package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"sync"
	"time"
)

// cookieName names the cookie that lets a browser in. Every visitor has one; a
// sign-in replaces it.
const cookieName = "prompt64"

// Sessions are the browsers that are signed in. They may outlive a Site, so that
// a bridge that is started again within its process knows its owner. A cookie is
// kept as a digest, so that a dump of the memory shows nothing that could be sent.
type Sessions struct {
	key [32]byte // of tokens, new with each start

	mu   sync.Mutex
	open map[[32]byte]*session
	era  int // counts how often everybody was signed out
}

// session is one browser that is signed in.
type session struct {
	began, seen time.Time

	mu     sync.Mutex
	notice string // shown once, on the next page
}

// NewSessions returns sessions of nobody.
func NewSessions() *Sessions {
	s := &Sessions{open: map[[32]byte]*session{}}
	_, _ = rand.Read(s.key[:]) // never fails
	return s
}

// eraNow tells the era in which a password is looked at.
func (s *Sessions) eraNow() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.era
}

// begin signs a browser in and returns its new cookie; an empty one if everybody
// was signed out since the era in which its password was looked at.
func (s *Sessions) begin(now time.Time, era int) (cookie string) {
	cookie = randomText()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.era != era {
		return ""
	}
	s.sweep(now)
	if len(s.open) >= maxSessions {
		s.dropIdlest()
	}
	s.open[sha256.Sum256([]byte(cookie))] = &session{began: now, seen: now}
	return cookie
}

// find returns the session of a cookie, nil where it is signed out.
func (s *Sessions) find(cookie string, now time.Time) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	found := s.open[sha256.Sum256([]byte(cookie))]
	if found != nil {
		found.seen = now
	}
	return found
}

func (s *Sessions) end(cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sha256.Sum256([]byte(cookie)))
}

// endAll signs everybody out.
func (s *Sessions) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.era++
	clear(s.open)
}

func (s *Sessions) sweep(now time.Time) {
	for key, o := range s.open {
		if now.Sub(o.seen) > idleSession || now.Sub(o.began) > longSession {
			delete(s.open, key)
		}
	}
}

func (s *Sessions) dropIdlest() {
	var oldest [32]byte
	var seen time.Time
	for key, o := range s.open {
		if seen.IsZero() || o.seen.Before(seen) {
			oldest, seen = key, o.seen
		}
	}
	delete(s.open, oldest)
}

// token belongs to one cookie: a foreign page can make a browser send the cookie,
// but can neither read it nor make the token.
func (s *Sessions) token(cookie string) string {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write([]byte(cookie))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// tokenMatches takes the same time for every wrong token.
func (s *Sessions) tokenMatches(cookie, token string) bool {
	return cookie != "" && hmac.Equal([]byte(s.token(cookie)), []byte(token))
}

func setCookie(w http.ResponseWriter, value string) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// say puts words on the browser's next page.
func (o *session) say(notice string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.notice = notice
}

func (o *session) takeNotice() string {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	notice := o.notice
	o.notice = ""
	return notice
}
