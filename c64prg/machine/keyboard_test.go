package machine

import "testing"

// scan reads port B with rows selected, as a program does.
func (m *Machine) scan(rows byte) byte {
	m.ciaStore(0, 2, 0xff, m.clk)
	m.ciaStore(0, 3, 0x00, m.clk)
	m.ciaStore(0, 0, rows, m.clk)
	return m.ciaLoad(0, 1, m.clk)
}

func TestEachKeyPullsItsColumnInItsRowOnly(t *testing.T) {
	m := fresh(t)
	for k := range Key(64) {
		m.KeyDown(k)
		for row := range byte(8) {
			want := byte(0xff)
			if row == byte(k)>>3 {
				want = ^(byte(1) << (k & 7))
			}
			if got := m.scan(^(1 << row)); got != want {
				t.Errorf("key %d, row %d: $%02X, want $%02X", k, row, got, want)
			}
		}
		m.KeyUp(k)
	}
	if m.scan(0) != 0xff {
		t.Error("a key stays down")
	}
}

func TestKeysAreWhereTheyAre(t *testing.T) {
	for k, want := range map[Key][2]byte{
		KeyDel: {0, 0}, KeyF1: {0, 4}, KeyDown: {0, 7}, KeyA: {1, 2}, KeyLeftShift: {1, 7}, KeyRightShift: {6, 4},
		KeyAt: {5, 6}, KeyPound: {6, 0}, KeyUpArrow: {6, 6}, KeyLeftArrow: {7, 1}, KeyCommodore: {7, 5}, KeyStop: {7, 7},
		KeySpace: {7, 4}, KeyReturn: {0, 1}, KeyColon: {5, 5}, KeySemicolon: {6, 2}, KeyN: {4, 7}, KeyV: {3, 7},
	} {
		if byte(k)>>3 != want[0] || byte(k)&7 != want[1] {
			t.Errorf("key %d is at row %d column %d, want %v", k, k>>3, k&7, want)
		}
	}
}

func TestMatrixReadsTheOtherWayToo(t *testing.T) {
	m := fresh(t)
	m.KeyDown(KeyA)
	m.ciaStore(0, 2, 0x00, 0)
	m.ciaStore(0, 3, 0xff, 0)
	m.ciaStore(0, 1, ^byte(1<<2), 0)
	if a := m.ciaLoad(0, 0, 0); a != ^byte(1<<1) {
		t.Errorf("port A is $%02X", a)
	}
}

func TestThreeKeysInARectangleMakeAFourth(t *testing.T) {
	m := fresh(t)
	m.KeyDown(KeyA) // row 1 column 2
	m.KeyDown(KeyS) // row 1 column 5
	m.KeyDown(KeyD) // row 2 column 2
	if got := m.scan(^byte(1 << 2)); got != ^byte(1<<2|1<<5) {
		t.Errorf("row 2 reads $%02X, want the ghost in column 5", got)
	}
}

func TestJoysticksShareTheKeyboardsLines(t *testing.T) {
	m := fresh(t)
	m.Joystick(1, JoyFire|JoyUp)
	if got := m.scan(0xff); got != 0xff&^0x11 {
		t.Errorf("joystick 1 shows as $%02X with no row selected", got)
	}
	m.Joystick(1, 0)
	m.Joystick(2, JoyLeft)
	m.KeyDown(Key5) // row 2, column 0: joystick 2 left selects its row
	if got := m.scan(0xff); got != 0xfe {
		t.Errorf("port B is $%02X, want the key that joystick 2 selects", got)
	}
	if got := m.ciaLoad(0, 0, 0); got != 0xfb {
		t.Errorf("port A is $%02X, want joystick 2", got)
	}
}
