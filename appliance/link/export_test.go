package link

import "time"

// ListenFast listens on a line that takes no time, for tests that cannot run in
// a bubble: all times are a tenth.
func ListenFast(cfg Config) *Listener {
	cfg.Baud = 100_000_000
	cfg.fillParts()
	tune := defaultTuning()
	tune.linger = 300 * time.Millisecond
	tune.retryFull = 20 * time.Millisecond
	tune.findEvery = 20 * time.Millisecond
	return listen(cfg, tune)
}
