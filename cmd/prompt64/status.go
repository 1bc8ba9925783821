package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/health/checks"
)

// statusRows are the rows of the STATUS tab that tell of the device.
func (a *app) statusRows(addr string) []string {
	return slices.Concat(a.linkStatus(addr), a.wifiStatus(), a.settingsStatus(), a.troubleStatus(), a.guardStatus(), a.updateStatus(), a.faultStatus(), a.healthStatus())
}

// linkStatus tells by what the C64 with an address is connected, and where the
// bridge is on the network.
func (a *app) linkStatus(addr string) []string {
	name, here := checks.Network{System: checks.System(), Interfaces: checks.SystemInterfaces}.Place()
	if port, serial := strings.CutPrefix(addr, "serial "); serial {
		rows := []string{fmt.Sprintf("LINK: serial %s, %d baud", port, a.options.serial.baud)}
		if here.IsValid() {
			rows = append(rows, "ADDRESS: "+here.String())
		}
		return rows
	}
	if !here.IsValid() {
		return []string{"LINK: network, from " + addr}
	}
	return []string{"LINK: network " + name + ", from " + addr, "ADDRESS: " + here.String()}
}

// guardStatus tells what the guard did last.
func (a *app) guardStatus() []string {
	if a.guard == "" {
		return nil
	}
	return []string{"GUARD: " + a.guard}
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
