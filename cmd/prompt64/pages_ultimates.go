package main

import (
	"context"
	"net/netip"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/web"
)

// pageUltimates are the Ultimates as the pages show them.
type pageUltimates struct{ client *ultimate.Client }

var _ web.Ultimates = pageUltimates{}

// Find implements web.Ultimates.
func (p pageUltimates) Find(ctx context.Context) ([]web.Ultimate, error) {
	found, err := (&ultimate.Finder{Client: p.client}).Find(ctx)
	var out []web.Ultimate
	for _, f := range found {
		one := web.Ultimate{
			Address: f.Address.String(),
			Product: strings.TrimSpace(f.Product + " " + f.Firmware),
			Name:    f.Hostname,
			CanRun:  f.Trouble == nil,
		}
		if one.Product == "" {
			one.Product = "Ultimate"
		}
		if f.Own.IsValid() {
			one.Own = f.Own.String()
		}
		if t := f.Trouble; t != nil {
			one.Trouble = t.Error()
			one.CanOn = t.Code == ultimate.InterfaceOff || t.Code == ultimate.PasswordNeeded || t.Code == ultimate.PasswordWrong
			one.CanRun = t.Code == ultimate.NotSaved || one.CanOn && t.Code != ultimate.InterfaceOff
		}
		out = append(out, one)
	}
	return out, err
}

// Enable implements web.Ultimates.
func (p pageUltimates) Enable(ctx context.Context, address string, password config.Secret) error {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return err
	}
	return p.client.Enable(ctx, ultimate.Device{Address: addr, Password: password})
}

// Run implements web.Ultimates.
func (p pageUltimates) Run(ctx context.Context, address string, password config.Secret, prg []byte) error {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return err
	}
	return p.client.Run(ctx, ultimate.Device{Address: addr, Password: password}, prg)
}
