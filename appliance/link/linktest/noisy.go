package linktest

import (
	"math/rand/v2"
	"sync"

	"github.com/prompt64/prompt64/appliance/link"
)

// Noisy puts faults into both directions of a port, such as a Pty's.
func Noisy(port link.Port, faults Faults, seed uint64) link.Port {
	return &noisy{
		Port: port, faults: faults,
		in: rand.New(rand.NewPCG(seed, 1)), out: rand.New(rand.NewPCG(seed, 2)),
	}
}

type noisy struct {
	link.Port
	faults  Faults
	in      *rand.Rand // of the one reader
	rest    []byte
	writing sync.Mutex
	out     *rand.Rand
}

// Read implements link.Port.
func (n *noisy) Read(b []byte) (int, error) {
	for len(n.rest) == 0 {
		buf := make([]byte, 256)
		k, err := n.Port.Read(buf)
		for _, c := range buf[:k] {
			n.rest = append(n.rest, n.faults.apply(n.in, c)...)
		}
		if err != nil {
			return 0, err
		}
	}
	k := copy(b, n.rest)
	n.rest = n.rest[k:]
	return k, nil
}

// Write implements link.Port.
func (n *noisy) Write(b []byte) (int, error) {
	n.writing.Lock()
	defer n.writing.Unlock()
	var bad []byte
	for _, c := range b {
		bad = append(bad, n.faults.apply(n.out, c)...)
	}
	if _, err := n.Port.Write(bad); err != nil {
		return 0, err
	}
	return len(b), nil
}
