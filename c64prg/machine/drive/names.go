package drive

import (
	"fmt"
	"sort"
	"strings"

	"github.com/prompt64/prompt64/c64prg/machine"
)

// keyNames are the keys that scripts call by name.
var keyNames = map[string]chord{
	"RETURN": {machine.KeyReturn}, "SHIFT+RETURN": {shift, machine.KeyReturn}, "SPACE": {machine.KeySpace},
	"F1": {machine.KeyF1}, "F3": {machine.KeyF3}, "F5": {machine.KeyF5}, "F7": {machine.KeyF7},
	"F2": {shift, machine.KeyF1}, "F4": {shift, machine.KeyF3}, "F6": {shift, machine.KeyF5}, "F8": {shift, machine.KeyF7},
	"C=F7": {commodore, machine.KeyF7}, "STOP": {machine.KeyStop}, "RUN/STOP": {machine.KeyStop},
	"UP": {shift, machine.KeyDown}, "DOWN": {machine.KeyDown}, "LEFT": {shift, machine.KeyRight}, "RIGHT": {machine.KeyRight},
	"HOME": {machine.KeyHome}, "CLR": {shift, machine.KeyHome}, "DEL": {machine.KeyDel}, "INST": {shift, machine.KeyDel},
	"SHIFT": {machine.KeyLeftShift}, "RSHIFT": {machine.KeyRightShift}, "CTRL": {machine.KeyControl}, "C=": {commodore},
	"LEFTARROW": {machine.KeyLeftArrow}, "UPARROW": {machine.KeyUpArrow}, "POUND": {machine.KeyPound},
}

// KeyNamed finds the keys of a name such as F1, UP or STOP, or of one character.
func KeyNamed(name string) ([]machine.Key, error) {
	if c, ok := keyNames[strings.ToUpper(name)]; ok {
		return c, nil
	}
	if r := []rune(name); len(r) == 1 {
		if c, ok := runeKeys[r[0]]; ok {
			return c, nil
		}
	}
	return nil, fmt.Errorf("key %q: use one character or one of %s", name, strings.Join(KeyNames(), " "))
}

// KeyNames lists the names that KeyNamed knows.
func KeyNames() []string {
	var out []string
	for n := range keyNames {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
