package link

import "time"

// tuning holds what is this package's own choice. Tests change it.
type tuning struct {
	pingAgain time.Duration // between two PINGs into a silence
	retryFull time.Duration // a DATA that was answered with WAIT is tried again
	linger    time.Duration // a closed connection may still send for as long
	lastTries int           // how often CLOSE is sent
	ahead     time.Duration // how far writes run ahead of the wire
	findEvery time.Duration // between two looks for an adapter
	inBuffer  int           // bytes from the C64 that nobody has read
	outBuffer int           // bytes to the C64 that are not packed yet
	controls  int           // packets other than DATA that wait to be sent
}

func defaultTuning() tuning {
	return tuning{
		pingAgain: 2 * time.Second,
		retryFull: time.Second,
		linger:    3 * time.Second,
		lastTries: 3,
		ahead:     15 * time.Millisecond,
		findEvery: 500 * time.Millisecond,
		inBuffer:  2048,
		outBuffer: 1024,
		controls:  8,
	}
}
