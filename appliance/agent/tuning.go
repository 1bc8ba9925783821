package agent

import "time"

// How long a self-test waits. A first start reads 300 MB, which takes a Pi's
// card up to ten seconds.
const (
	handshakeTime = 60 * time.Second
	sandboxTime   = 60 * time.Second
	goodbyeTime   = 5 * time.Second
	maxAnswerLine = 1 << 20
	maxAnswers    = 100 // lines before the one that is waited for
	maxNoise      = 4 << 10
)
