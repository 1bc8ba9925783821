package web

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/c64prg"
)

// ultimateTime bounds what is asked of Ultimates.
const ultimateTime = 20 * time.Second

const ultimateLate = "there was no answer in time. See that the Ultimate is switched on, and try again."

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
	var found []Ultimate
	err := within(v.r.Context(), ultimateTime, ultimateLate, func(ctx context.Context) (err error) {
		found, err = v.site.Ultimates.Find(ctx)
		return err
	})
	if err != nil {
		return v.showC64(http.StatusServiceUnavailable, c64Data{Error: sentence("the search did not work: " + err.Error())})
	}
	return v.showC64(http.StatusOK, c64Data{Looked: true, Found: found})
}

// askToRun asks first, since the C64 is reset.
func askToRun(v *visit) error {
	if v.site.Ultimates == nil {
		return noUltimates
	}
	q := v.r.URL.Query()
	one, err := ultimateOf(q.Get("address"), q.Get("own"))
	if err != nil {
		return err
	}
	return v.showC64(http.StatusOK, c64Data{Confirm: &one})
}

// ultimateOf checks what a form says of an Ultimate.
func ultimateOf(address, own string) (Ultimate, error) {
	if _, err := netip.ParseAddr(address); err != nil {
		return Ultimate{}, fault{http.StatusUnprocessableEntity, "That is no address of an Ultimate. Look for Ultimates again.", nil}
	}
	if own != "" && c64prg.CheckHost(own) != nil {
		return Ultimate{}, fault{http.StatusUnprocessableEntity, "A C64 cannot dial that address. Look for Ultimates again.", nil}
	}
	return Ultimate{Address: address, Own: own}, nil
}

func runOnUltimate(v *visit) error {
	again := func(one Ultimate) c64Data { return c64Data{Confirm: &one} }
	return v.withUltimate("The program runs on the C64.", again, func(ctx context.Context, one Ultimate, secret config.Secret) error {
		p := v.program()
		p.Host = cmp.Or(one.Own, p.Host)
		prg, err := v.make(p, plain)
		if err != nil {
			return err
		}
		return v.site.Ultimates.Run(ctx, one.Address, secret, prg)
	})
}

func enableUltimate(v *visit) error {
	again := func(one Ultimate) c64Data {
		return c64Data{Looked: true, Found: []Ultimate{{Address: one.Address, Product: "Ultimate", CanOn: true}}}
	}
	return v.withUltimate("The command interface is on.", again, func(ctx context.Context, one Ultimate, secret config.Secret) error {
		return v.site.Ultimates.Enable(ctx, one.Address, secret)
	})
}

// withUltimate does something with the Ultimate that the form names. Where that fails,
// again is what the page shows, so that it can be tried with another password.
func (v *visit) withUltimate(notice string, again func(Ultimate) c64Data, do func(context.Context, Ultimate, config.Secret) error) error {
	if v.site.Ultimates == nil {
		return noUltimates
	}
	one, err := ultimateOf(v.value("address"), v.value("own"))
	if err != nil {
		return err
	}
	err = within(v.r.Context(), ultimateTime, ultimateLate, func(ctx context.Context) error {
		return do(ctx, one, config.NewSecret(v.r.PostFormValue("secret")))
	})
	if err != nil {
		data := again(one)
		words, status := v.told(err, http.StatusBadGateway)
		data.Error = words
		return v.showC64(status, data)
	}
	return v.goTo("/c64", notice)
}
