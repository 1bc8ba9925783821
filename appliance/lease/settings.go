package lease

import "github.com/prompt64/prompt64/frames"

// Settings are what the user may change on a lease. Changes during a turn take
// effect with the next one.
type Settings struct {
	Access    frames.Access
	Reasoning frames.Reasoning
	Display   uint8
}

// DefaultSettings are a fresh lease's where the device has no others.
func DefaultSettings() Settings {
	return Settings{Access: frames.AccessAsk, Reasoning: frames.ReasoningSummary}
}

func (s Settings) palette() bool { return s.Display&frames.DisplayPalette != 0 }

func (l *lease) settingsState() frames.SettingsState {
	return frames.SettingsState{Reasoning: l.settings.Reasoning, Display: l.settings.Display}
}

func (l *lease) settingsSet(m frames.SettingsSet) {
	l.settings.Reasoning = m.Reasoning
	if m.HasDisplay {
		l.settings.Display = m.Display & frames.DisplayPalette
	}
	l.answer(l.settingsState())
}

func (l *lease) accessSet(m frames.AccessSet) {
	l.settings.Access = m.Access
	l.answer(frames.AccessState{Access: l.settings.Access})
}
