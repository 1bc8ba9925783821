package config

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// secretsFile is what is kept apart from config.json. The file's name is a
// digest of its bytes, so config.json names exactly one content: the two can
// never be from different saves, and a damaged one is known.
type secretsFile struct {
	Version  int               `json:"version"`
	Salt     string            `json:"salt"` // the name must not help to guess a short key
	Password string            `json:"password,omitempty"`
	Code     string            `json:"code,omitempty"`
	Keys     map[string]string `json:"keys,omitempty"`  // of Wi-Fi networks, by name
	Taken    string            `json:"taken,omitempty"` // digest of the file last taken over from the boot partition
}

const saltBytes = 16

// secretsOf collects the secrets of settings.
func secretsOf(s Settings, taken string) secretsFile {
	f := secretsFile{Version: Version, Password: s.Password.hash.Reveal(), Code: s.Pairing.Code.Reveal(), Taken: taken}
	for _, n := range s.Wifi {
		if !n.PSK.Empty() {
			if f.Keys == nil {
				f.Keys = map[string]string{}
			}
			f.Keys[n.SSID] = n.PSK.Reveal()
		}
	}
	return f
}

// encode returns the file's bytes and its name. former is the file in force;
// where nothing changed, its bytes are returned, so that no new one is written.
func (f secretsFile) encode(former secretsFile) (data []byte, name string) {
	f.Salt = former.Salt
	data, name = f.bytes()
	if was, _ := former.bytes(); f.Salt != "" && bytes.Equal(was, data) {
		return data, name
	}
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	f.Salt = hex.EncodeToString(salt)
	return f.bytes()
}

func (f secretsFile) bytes() (data []byte, name string) {
	data, _ = json.MarshalIndent(f, "", "  ") // texts and maps of texts: nothing can fail
	data = append(data, '\n')
	return data, secretsName(data)
}

func secretsName(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("secrets-%x.json", sum[:16])
}

var secretsPattern = regexp.MustCompile(`^secrets-[0-9a-f]{32}\.json$`)

func isSecretsFile(name string) bool { return secretsPattern.MatchString(name) }

// readSecrets reads the file called name.
func readSecrets(fs files, name string) (secretsFile, error) {
	var f secretsFile
	data, err := fs.Read(name)
	if err != nil {
		return f, fmt.Errorf("its secrets cannot be read: %s", inWords(err))
	}
	if secretsName(data) != name || json.Unmarshal(data, &f) != nil || f.Version != Version {
		return secretsFile{}, errors.New("its secrets are damaged")
	}
	if _, err := parseHash(f.Password); f.Password != "" && err != nil {
		return secretsFile{}, errors.New("its password is damaged")
	}
	return f, nil
}

// fill puts the secrets where settings keep them, as a base to read over.
func (f secretsFile) fill(s *Settings, r *reader) {
	s.Password = Password{NewSecret(f.Password)}
	s.Pairing.Code = NewSecret(f.Code)
	r.keys = map[string]Secret{}
	for name, key := range f.Keys {
		r.keys[name] = NewSecret(key)
	}
}
