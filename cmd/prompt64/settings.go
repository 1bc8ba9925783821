package main

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/frames"
)

// openSettings opens the settings in the data folder.
func openSettings(o serveOptions, log *slog.Logger) *config.Store {
	options := o.settingsOptions()
	options.Log = log.With("part", "settings")
	return config.Open(options)
}

// withSettings fills in what the command line does not say. Where there never
// were settings, nothing changes.
func (o serveOptions) withSettings(store *config.Store, log *slog.Logger) serveOptions {
	if store.State().Source == config.Fresh {
		return o
	}
	s := store.Settings()
	for flagName, field := range map[string]struct{ option, setting *string }{
		"listen":   {&o.listen, &s.Listen},
		"web":      {&o.web, &s.Web},
		"provider": {&o.agent.name, &s.Provider},
	} {
		if !o.given[flagName] && *field.setting != "" {
			*field.option = *field.setting
		}
	}
	if o.workspaces == "" && s.Workspaces != "" {
		o.workspaces = settledFolder(config.Options{Dir: o.data}.Folder(s.Workspaces), log)
	}
	if !o.given["serial"] {
		o.serial = serialOptions{port: s.Serial.Port, baud: s.Serial.Baud}
	}
	o.pairing = o.pairing.withSettings(s, o.given["allow"])
	return o
}

// settledFolder returns a folder of the settings, or none where it is no good:
// unlike a flag it must not keep a device from starting, since nobody could mend
// it then.
func settledFolder(dir string, log *slog.Logger) string {
	if _, err := workspacesFolder("", dir, log); err != nil {
		log.Error("the workspaces of the settings are not in use", "error", err)
		return ""
	}
	return dir
}

// withSettings takes from the settings what the command line and the environment
// do not say.
func (p pairingOptions) withSettings(s config.Settings, allowGiven bool) pairingOptions {
	if !p.codeGiven {
		p.code = s.Pairing.Code.Reveal()
	}
	if !allowGiven {
		p.allow = s.Pairing.Prefixes()
	}
	return p
}

// whoMayDrive is what a change of the pairing is told to.
type whoMayDrive interface {
	SetCode(string)
	SetAllow([]netip.Prefix)
}

var _ whoMayDrive = (*bridge.Pairing)(nil)

// settingsPart hands changes of the settings to those that follow them.
func (a *app) settingsPart() supervisor.Part {
	return supervisor.Part{Name: "settings", Deadline: supervisor.DefaultDeadline, Service: supervisor.Func(a.followSettings)}
}

// followSettings hands changes of the pairing on while the app runs.
func (a *app) followSettings(ctx context.Context) error {
	changes, cancel := a.settings.Subscribe()
	defer cancel()
	alive := time.NewTicker(supervisor.PetEvery(ctx))
	defer alive.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-alive.C:
			supervisor.Pet(ctx)
		case s := <-changes:
			a.knowSecrets(s)
			if a.settings.State().Source == config.Fresh {
				continue // there are none yet
			}
			p := a.options.pairing.withSettings(s, a.options.given["allow"])
			a.pairing.SetCode(p.code)
			a.pairing.SetAllow(p.allow)
		}
	}
}

// leaseDefaults are what a fresh lease starts with.
func (a *app) leaseDefaults() lease.Settings {
	d := a.settings.Settings().Defaults
	out := lease.Settings{Access: d.Access, Reasoning: d.Reasoning}
	if d.Palette {
		out.Display = frames.DisplayPalette
	}
	return out
}
