package main

import (
	"slices"

	"github.com/prompt64/prompt64/appliance/health/checks"
)

// statusRows are the rows of the STATUS tab that tell of the device.
func (a *app) statusRows() []string {
	return slices.Concat(a.placeStatus(), a.wifiStatus(), a.settingsStatus(), a.troubleStatus(), a.updateStatus(), a.healthStatus())
}

// placeStatus tells where the bridge is on the network.
func (a *app) placeStatus() []string {
	link, addr := checks.Network{System: checks.System(), Interfaces: checks.SystemInterfaces}.Place()
	if !addr.IsValid() {
		return []string{"LINK: none"}
	}
	return []string{"LINK: " + link, "ADDRESS: " + addr.String()}
}

// healthStatus tells the last trouble.
func (a *app) healthStatus() []string { return []string{"LAST TROUBLE: " + a.health.LastTrouble()} }

// settingsStatus is a row of STATUS when something is wrong with the settings.
func (a *app) settingsStatus() []string {
	state := a.settings.State()
	if len(state.Problems) == 0 {
		return nil
	}
	return []string{"SETTINGS: " + state.Status()}
}

// troubleStatus is a row for each thing that was wrong at the start.
func (a *app) troubleStatus() []string {
	rows := make([]string, len(a.troubles))
	for i, words := range a.troubles {
		rows[i] = "TROUBLE: " + words
	}
	return rows
}
