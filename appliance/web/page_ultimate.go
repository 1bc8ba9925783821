package web

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/c64prg"
)

// ultimateTime bounds what is asked of Ultimates.
const ultimateTime = 20 * time.Second

// ultimateRoutes look for Ultimates and put them to use.
func ultimateRoutes() []route {
	return []route{
		{"GET /c64/find", signedIn, findUltimates},
		{"GET /c64/run", signedIn, askToRun},
		{"POST /c64/run", signedIn, runOnUltimate},
		{"POST /c64/enable", signedIn, enableUltimate},
	}
}

var noUltimates = fault{http.StatusNotFound, "This bridge does not look for Ultimates.", nil}

func findUltimates(v *visit) error {
	if v.site.Ultimates == nil {
		return noUltimates
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), ultimateTime)
	defer cancel()
	found, err := v.site.Ultimates.Find(ctx)
	if err != nil {
		return v.showC64(http.StatusServiceUnavailable, c64Data{Error: "The search did not work: " + sentence(err.Error())})
	}
	return v.showC64(http.StatusOK, c64Data{Looked: true, Found: found})
}

// askToRun asks first, since the C64 is reset.
func askToRun(v *visit) error {
	q := v.r.URL.Query()
	one, err := ultimateOf(q.Get("address"), q.Get("own"))
	if err != nil {
		return err
	}
	return v.showC64(http.StatusOK, c64Data{Confirm: one})
}

// ultimateOf checks what a form says of an Ultimate.
func ultimateOf(address, own string) (*Ultimate, error) {
	if _, err := netip.ParseAddr(address); err != nil {
		return nil, fault{http.StatusUnprocessableEntity, "That is no address of an Ultimate. Look for Ultimates again.", nil}
	}
	if own != "" && c64prg.CheckHost(own) != nil {
		return nil, fault{http.StatusUnprocessableEntity, "A C64 cannot dial that address. Look for Ultimates again.", nil}
	}
	return &Ultimate{Address: address, Own: own}, nil
}

func runOnUltimate(v *visit) error {
	return v.withUltimate(func(ctx context.Context, one *Ultimate, secret config.Secret) (string, error) {
		p := v.program()
		if one.Own != "" {
			p.Host = one.Own
		}
		if err := c64prg.CheckHost(p.Host); err != nil {
			return "", err
		}
		prg, err := v.site.Program(p)
		if err != nil {
			return "", err
		}
		return "The program runs on the C64.", v.site.Ultimates.Run(ctx, one.Address, secret, prg)
	})
}

func enableUltimate(v *visit) error {
	return v.withUltimate(func(ctx context.Context, one *Ultimate, secret config.Secret) (string, error) {
		return "The command interface is on.", v.site.Ultimates.Enable(ctx, one.Address, secret)
	})
}

func (v *visit) withUltimate(do func(context.Context, *Ultimate, config.Secret) (string, error)) error {
	if v.site.Ultimates == nil {
		return noUltimates
	}
	one, err := ultimateOf(v.value("address"), v.value("own"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), ultimateTime)
	defer cancel()
	notice, err := do(ctx, one, config.NewSecret(v.r.PostFormValue("secret")))
	if err != nil {
		return v.showC64(http.StatusBadGateway, c64Data{Error: sentence(err.Error())})
	}
	return v.goTo("/c64", notice)
}
