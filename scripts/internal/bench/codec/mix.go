// Package codec measures how fast frames are encoded and decoded, over the mix
// of all messages in both directions.
//
// The mix is that of the golden vectors, each frame once: it says nothing about
// how often a message comes in a real session.
package codec

import (
	"encoding/hex"
	"fmt"
	"io"
	"reflect"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// decoder is a pointer to a message, decoded into again and again.
type decoder interface {
	Decode(frames.Frame) error
}

// mix is the valid frames of one direction.
type mix struct {
	direction frames.Direction
	messages  []frames.Message
	encoded   [][]byte
	stream    []byte // all of encoded
	into      [256]decoder
}

// loadMixes makes the two directions' mixes.
func loadMixes() ([]*mix, error) {
	vectors, err := framestest.Vectors()
	if err != nil {
		return nil, err
	}
	toBridge, toC64 := &mix{direction: frames.ToBridge}, &mix{direction: frames.ToC64}
	for _, v := range vectors {
		if v.Fault != "" {
			continue
		}
		m := toC64
		if v.Direction == "to-bridge" {
			m = toBridge
		}
		if err := m.add(v); err != nil {
			return nil, fmt.Errorf("vector %q: %w", v.Name, err)
		}
	}
	return []*mix{toBridge, toC64}, nil
}

func (m *mix) add(v framestest.Vector) error {
	payload, err := hex.DecodeString(v.Payload)
	if err != nil {
		return err
	}
	message, err := frames.Decode(m.direction, frames.Frame{Type: frames.Type(v.Type), Flags: v.Flags, Payload: payload})
	if err != nil {
		return err
	}
	into, ok := reflect.New(reflect.TypeOf(message)).Interface().(decoder)
	if !ok {
		return fmt.Errorf("%T cannot be decoded into", message)
	}
	m.into[v.Type] = into
	m.messages = append(m.messages, message)
	m.encoded = append(m.encoded, message.AppendTo(nil))
	m.stream = message.AppendTo(m.stream)
	return nil
}

// loop reads a stream again and again.
type loop struct {
	b  []byte
	at int
}

var _ io.Reader = (*loop)(nil)

func (l *loop) Read(p []byte) (int, error) {
	n := copy(p, l.b[l.at:])
	l.at = (l.at + n) % len(l.b)
	return n, nil
}
