package lease

import "github.com/prompt64/prompt64/frames"

// Settings are what the user may change on a lease.
type Settings struct {
	Access    frames.Access
	Reasoning frames.Reasoning
	Display   uint8
}

// DefaultSettings are a fresh lease's where the device has no others.
func DefaultSettings() Settings {
	return Settings{Access: frames.AccessAsk, Reasoning: frames.ReasoningSummary}
}
