package machine

// Key is a key of the matrix: row (a line of port A) times 8 plus column (a
// line of port B).
type Key byte

// The keys of the C64, by row.
const (
	KeyDel Key = iota
	KeyReturn
	KeyRight
	KeyF7
	KeyF1
	KeyF3
	KeyF5
	KeyDown
	Key3
	KeyW
	KeyA
	Key4
	KeyZ
	KeyS
	KeyE
	KeyLeftShift
	Key5
	KeyR
	KeyD
	Key6
	KeyC
	KeyF
	KeyT
	KeyX
	Key7
	KeyY
	KeyG
	Key8
	KeyB
	KeyH
	KeyU
	KeyV
	Key9
	KeyI
	KeyJ
	Key0
	KeyM
	KeyK
	KeyO
	KeyN
	KeyPlus
	KeyP
	KeyL
	KeyMinus
	KeyPeriod
	KeyColon
	KeyAt
	KeyComma
	KeyPound
	KeyAsterisk
	KeySemicolon
	KeyHome
	KeyRightShift
	KeyEqual
	KeyUpArrow
	KeySlash
	Key1
	KeyLeftArrow
	KeyControl
	Key2
	KeySpace
	KeyCommodore
	KeyQ
	KeyStop
)

// Joy is a set of joystick contacts.
type Joy byte

// The contacts of a joystick.
const (
	JoyUp Joy = 1 << iota
	JoyDown
	JoyLeft
	JoyRight
	JoyFire
)

// keyboard is the matrix and the two joysticks that share its lines.
type keyboard struct {
	rows [8]byte // pressed columns of each row
	any  bool
	joy  [2]Joy
}

// lines gives the levels of ports A and B: what the chip drives, what joysticks
// and keys pull low. Pressed keys join lines, so that three of them in a
// rectangle make a fourth appear, as on the real matrix.
func (k *keyboard) lines(c *cia) (a, b byte) {
	a = (c.pra | ^c.ddra) &^ byte(k.joy[1])
	b = (c.prb | ^c.ddrb) &^ byte(k.joy[0])
	if !k.any {
		return a, b
	}
	for {
		na, nb := a, b
		for r, cols := range k.rows {
			if cols == 0 {
				continue
			}
			if a&(1<<r) == 0 {
				nb &^= cols
			}
			if ^b&cols != 0 {
				na &^= 1 << r
			}
		}
		if na == a && nb == b {
			return a, b
		}
		a, b = na, nb
	}
}

// KeyDown presses a key and leaves it down.
func (m *Machine) KeyDown(k Key) {
	m.keys.rows[k>>3] |= 1 << (k & 7)
	m.keys.any = true
}

// KeyUp lets a key go.
func (m *Machine) KeyUp(k Key) {
	m.keys.rows[k>>3] &^= 1 << (k & 7)
	m.keys.any = m.keys.rows != [8]byte{}
}

// Joystick sets the contacts of joystick 1 or 2.
func (m *Machine) Joystick(n int, j Joy) { m.keys.joy[n-1] = j }
