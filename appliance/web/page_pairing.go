package web

import (
	"crypto/rand"
	"math/big"
	"net/http"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/c64prg"
)

// codeLetters are those of a pairing code that nobody mistakes for another.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// pairingPart is who may talk to the agent.
func pairingPart() setupPart {
	return setupPart{"/setup/pairing", "Pairing", "key", pairingNow, []route{
		{"GET /setup/pairing", signedIn, func(v *visit) error { return v.showPairing(http.StatusOK, pairingForm(v.site), "") }},
		{"POST /setup/pairing", signedIn, savePairing},
		{"POST /setup/pairing/new", signedIn, newCode},
	}}
}

func pairingNow(s *Site) setupNow {
	p := s.Settings.Settings().Pairing
	switch {
	case !p.Code.Empty():
		return setupNow{Words: "a pairing code is set", Done: true}
	case len(p.Allow) > 1 || len(p.Allow) == 1 && p.Allow[0] != "loopback":
		return setupNow{Words: "by address, without a code", Done: true}
	}
	return setupNow{Words: "only this machine itself", Todo: "Make a pairing code, so that your C64 is let in."}
}

func pairingForm(s *Site) *form {
	p := s.Settings.Settings().Pairing
	return &form{Fields: []*field{
		{Name: "code", Label: "Pairing code", Type: "text", Value: p.Code.Reveal(), Max: c64prg.CodeSize,
			Hint: "8 characters of A-Z and 2-9. Empty: no C64 gets in by code."},
		{Name: "allow", Label: "Let in without a code", Type: "lines", Value: strings.Join(p.Allow, "\n"),
			Hint: "One address or network in a line, such as 192.168.1.7 or 192.168.1.0/24; loopback is this machine itself, but for the agent's programs on a device, which need the code."},
	}}
}

func (v *visit) showPairing(status int, f *form, wrong string) error {
	return v.show(status, "pairing", "Pairing", map[string]any{
		"Form": f, "Code": v.site.Settings.Settings().Pairing.Code.Reveal(), "Error": wrong,
	})
}

func savePairing(v *visit) error {
	f := pairingForm(v.site)
	f.fill(v)
	err := v.save(func(s *config.Settings) error {
		s.Pairing.Code = config.NewSecret(strings.ToUpper(v.value("code")))
		s.Pairing.Allow = strings.Fields(strings.ReplaceAll(v.value("allow"), ",", " "))
		return nil
	})
	if err != nil {
		return v.showPairing(f.wrong(v, err, map[string]string{"pairing.code": "code", "pairing.allow[": "allow"}), f, "")
	}
	return v.goTo("/setup/pairing", "Saved. C64s that are connected already stay.")
}

func newCode(v *visit) error {
	err := v.save(func(s *config.Settings) error {
		s.Pairing.Code = config.NewSecret(randomCode())
		return nil
	})
	if err != nil {
		words, status := v.told(err, http.StatusUnprocessableEntity)
		return v.showPairing(status, pairingForm(v.site), words)
	}
	return v.goTo("/setup/pairing", "There is a new code. C64s that come from now on need it.")
}

func randomCode() string {
	var code strings.Builder
	for range c64prg.CodeSize {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(codeLetters)))) // never fails
		code.WriteByte(codeLetters[n.Int64()])
	}
	return code.String()
}
