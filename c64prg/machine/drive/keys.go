package drive

import (
	"fmt"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
)

// chord is a key with the modifiers that it needs.
type chord []machine.Key

const (
	shift     = machine.KeyLeftShift
	commodore = machine.KeyCommodore
)

// runeKeys are the keys of the C64 for text, with the program's own places for
// what the keyboard lacks.
var runeKeys = makeRuneKeys()

func makeRuneKeys() map[rune]chord {
	k := map[rune]chord{
		'\n': {machine.KeyReturn}, ' ': {machine.KeySpace}, '+': {machine.KeyPlus}, '-': {machine.KeyMinus},
		'.': {machine.KeyPeriod}, ',': {machine.KeyComma}, ':': {machine.KeyColon}, ';': {machine.KeySemicolon},
		'@': {machine.KeyAt}, '*': {machine.KeyAsterisk}, '/': {machine.KeySlash}, '=': {machine.KeyEqual},
		'£': {machine.KeyPound}, '\\': {machine.KeyPound}, '^': {machine.KeyUpArrow}, '↑': {machine.KeyUpArrow},
		'_': {machine.KeyLeftArrow}, '←': {machine.KeyLeftArrow},
		'[': {shift, machine.KeyColon}, ']': {shift, machine.KeySemicolon},
		'<': {shift, machine.KeyComma}, '>': {shift, machine.KeyPeriod}, '?': {shift, machine.KeySlash},
		'{': {commodore, machine.KeyColon}, '}': {commodore, machine.KeySemicolon}, '|': {commodore, machine.KeyPound},
		'~': {commodore, machine.KeyUpArrow}, '`': {commodore, machine.KeyLeftArrow},
	}
	letters := []machine.Key{
		machine.KeyA, machine.KeyB, machine.KeyC, machine.KeyD, machine.KeyE, machine.KeyF, machine.KeyG, machine.KeyH,
		machine.KeyI, machine.KeyJ, machine.KeyK, machine.KeyL, machine.KeyM, machine.KeyN, machine.KeyO, machine.KeyP,
		machine.KeyQ, machine.KeyR, machine.KeyS, machine.KeyT, machine.KeyU, machine.KeyV, machine.KeyW, machine.KeyX,
		machine.KeyY, machine.KeyZ,
	}
	for i, key := range letters {
		k[rune('a'+i)] = chord{key}
		k[rune('A'+i)] = chord{shift, key}
	}
	digits := []machine.Key{
		machine.Key0, machine.Key1, machine.Key2, machine.Key3, machine.Key4, machine.Key5, machine.Key6, machine.Key7,
		machine.Key8, machine.Key9,
	}
	for i, key := range digits {
		k[rune('0'+i)] = chord{key}
	}
	for i, r := range "!\"#$%&'()" {
		k[r] = chord{shift, digits[i+1]}
	}
	return k
}

// RuneKeys gives the keys that type a rune, modifier first.
func RuneKeys(r rune) ([]machine.Key, bool) {
	c, ok := runeKeys[r]
	return c, ok
}

// Type types text; "\n" is RETURN.
func (d *Driver) Type(text string) error {
	for _, r := range text {
		keys, ok := runeKeys[r]
		if !ok {
			return fmt.Errorf("type: no key of the C64 types %q", r)
		}
		if err := d.Press(keys...); err != nil {
			return err
		}
	}
	return nil
}

// Press presses keys together, in order, and lets them go.
func (d *Driver) Press(keys ...machine.Key) error {
	return d.Hold(d.cfg.Press, keys...)
}

// Hold keeps keys down for a time. The last one comes a frame after the
// modifiers before it and goes first, as fingers do it.
func (d *Driver) Hold(t time.Duration, keys ...machine.Key) error {
	last := len(keys) - 1
	for i, k := range keys {
		if i == last && i > 0 {
			if err := d.RunFrames(1); err != nil {
				return err
			}
		}
		d.M.KeyDown(k)
	}
	if err := d.Run(t); err != nil {
		return err
	}
	d.M.KeyUp(keys[last])
	if err := d.RunFrames(1); err != nil {
		return err
	}
	for _, k := range keys[:last] {
		d.M.KeyUp(k)
	}
	return d.Run(d.cfg.Gap)
}

// Roll types as a fast typist does: each key goes down before the one before it
// is let go.
func (d *Driver) Roll(text string) error {
	var held []machine.Key
	for _, r := range text {
		keys, ok := runeKeys[r]
		if !ok || len(keys) != 1 {
			return fmt.Errorf("roll: %q needs a modifier or has no key", r)
		}
		d.M.KeyDown(keys[0])
		if err := d.Run(d.cfg.Press); err != nil {
			return err
		}
		for _, k := range held {
			if k != keys[0] {
				d.M.KeyUp(k)
			}
		}
		if err := d.Run(d.cfg.Gap); err != nil {
			return err
		}
		held = keys
	}
	for _, k := range held {
		d.M.KeyUp(k)
	}
	return d.Run(d.cfg.Gap)
}
