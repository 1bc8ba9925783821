package config

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// Limits of a password, in characters. The upper one keeps a request for
// sign-in small.
const (
	minPassword = 8
	maxPassword = 128
)

// The cost of argon2id: OWASP's smallest memory, since a Pi Zero 2 has 512 MB
// for everything; about a third of a second there.
const (
	argonMemory = 19 * 1024 // KiB
	argonTime   = 2
	argonLanes  = 1
	saltSize    = 16
	keySize     = 32
)

// What is accepted of a stored hash: a damaged one must not eat the memory.
const (
	maxArgonMemory = 64 * 1024
	maxArgonTime   = 8
	maxArgonLanes  = 4
)

// hashing lets one password be hashed at a time, so that many who sign in at
// once cannot use up the memory.
var hashing sync.Mutex

// Password is the digest of the password of the pages. Its zero value matches
// nothing: there is no password yet.
type Password struct{ hash Secret }

// NewPassword digests a password. The error names what is allowed, and never
// repeats the password.
func NewPassword(plain string) (Password, error) {
	if err := checkPassword(plain); err != nil {
		return Password{}, fmt.Errorf("password: %w", err)
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	key := digest(plain, salt, argonMemory, argonTime, argonLanes)
	b64 := base64.RawStdEncoding.EncodeToString
	return Password{NewSecret(fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, argonMemory, argonTime, argonLanes, b64(salt), b64(key)))}, nil
}

// ParsePassword takes a digest that was made elsewhere, in the PHC string format,
// if it costs no more to check than this device can bear.
func ParsePassword(digest string) (Password, error) {
	if _, err := parseHash(digest); err != nil {
		return Password{}, err
	}
	return Password{NewSecret(digest)}, nil
}

// Empty reports whether no password was ever set.
func (p Password) Empty() bool { return p.hash.Empty() }

// Matches reports whether plain is the password. It takes its time on purpose.
func (p Password) Matches(plain string) bool {
	h, err := parseHash(p.hash.Reveal())
	if err != nil || len(plain) > maxPassword*utf8.UTFMax {
		return false
	}
	return subtle.ConstantTimeCompare(digest(plain, h.salt, h.memory, h.time, h.lanes), h.key) == 1
}

// Mark makes a mark of a text that nobody can make who does not know the digest:
// something handed out can be known again by it, until the password is set anew,
// even to the same one. It is empty where there is no password.
func (p Password) Mark(text string) string {
	if p.Empty() {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(p.hash.Reveal()))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func checkPassword(plain string) error {
	if n := utf8.RuneCountInString(plain); n < minPassword || n > maxPassword || !utf8.ValidString(plain) {
		return fmt.Errorf("%d to %d characters are allowed", minPassword, maxPassword)
	}
	return nil
}

func digest(plain string, salt []byte, memory, time uint32, lanes uint8) []byte {
	hashing.Lock()
	defer hashing.Unlock()
	return argon2.IDKey([]byte(plain), salt, time, memory, lanes, keySize)
}

type hash struct {
	salt, key    []byte
	memory, time uint32
	lanes        uint8
}

var errHash = errors.New("not a password's digest")

// parseHash reads a digest in the PHC string format.
func parseHash(text string) (hash, error) {
	var h hash
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, errHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.lanes); err != nil {
		return h, errHash
	}
	if h.memory == 0 || h.memory > maxArgonMemory || h.time == 0 || h.time > maxArgonTime ||
		h.lanes == 0 || h.lanes > maxArgonLanes {
		return h, errHash
	}
	var errs [2]error
	h.salt, errs[0] = base64.RawStdEncoding.DecodeString(parts[4])
	h.key, errs[1] = base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(errs[:]...) != nil || len(h.salt) < 8 || len(h.key) != keySize {
		return h, errHash
	}
	return h, nil
}
