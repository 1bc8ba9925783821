package main

// statusRows are the rows of the STATUS tab that tell of the device.
func (a *app) statusRows() []string {
	return append(a.settingsStatus(), a.troubleStatus()...)
}

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
