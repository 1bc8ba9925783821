package uci

// The network target and its commands.
const (
	targetNetwork = 0x03

	cmdIdentify   = 0x01
	cmdInterfaces = 0x02
	cmdMAC        = 0x04
	cmdIP         = 0x05
	cmdOpenTCP    = 0x07
	cmdClose      = 0x09
	cmdRead       = 0x10
	cmdWrite      = 0x11
)

// Status texts of the network target.
const (
	stOK        = "00,OK"
	stClosed    = "01,CONNECTION CLOSED BY HOST"
	stUnknown   = "21,UNKNOWN COMMAND"
	stParams    = "81,INVALID PARAMS"
	stRange     = "82,PARAMETER(S) OUT OF RANGE"
	stNoIface   = "83,INTERFACE NOT AVAILABLE"
	stHost      = "84,UNRESOLVED HOST"
	stSocket    = "85,ERROR OPENING SOCKET"
	identity    = "ULTIMATE-II NETWORK INTERFACE V1.0"
	noTarget    = "NO TARGET"
	fmtConnect  = "11,ERROR ON CONNECT: %d"
	fmtClose    = "12,ERROR ON CLOSE: %d"
	fmtNoData   = "02,NO DATA: %d"
	fmtSend     = "12,SEND ERROR: %d"
	shortestTCP = 5 // target, command, port, at least one byte of host
)

// now answers at once.
func answer(status string, data ...byte) op {
	return func(uint64) (reply, bool) { return reply{data: data, status: status}, true }
}

// decode starts a command.
func (d *Device) decode(cmd []byte, now uint64) op {
	if len(cmd) < 2 {
		return answer(stUnknown)
	}
	if cmd[0]&0x7f != targetNetwork {
		if cmd[1] == cmdIdentify {
			return answer(stOK, []byte(noTarget)...)
		}
		return answer(stUnknown)
	}
	need, exact := wants(cmd[1])
	switch {
	case need == 0:
		return answer(stUnknown)
	case exact && len(cmd) != need, len(cmd) < need:
		return answer(stParams)
	}
	switch cmd[1] {
	case cmdIdentify:
		return answer(stOK, []byte(identity)...)
	case cmdInterfaces:
		return answer(stOK, byte(len(d.cfg.Interfaces)))
	case cmdMAC, cmdIP:
		return d.address(cmd[1], int(cmd[2]))
	case cmdOpenTCP:
		return d.open(cmd[2:], now)
	case cmdClose:
		return d.closeSocket(int(cmd[2]))
	case cmdRead:
		return d.read(int(cmd[2]), int(cmd[3])|int(cmd[4])<<8, now)
	}
	return d.write(int(cmd[2]), cmd[3:], now)
}

// wants is a command's length, exact or at least; 0 where it is unknown.
func wants(cmd byte) (n int, exact bool) {
	switch cmd {
	case cmdIdentify, cmdInterfaces:
		return 2, true
	case cmdMAC, cmdIP, cmdClose:
		return 3, true
	case cmdRead:
		return 5, true
	case cmdOpenTCP:
		return shortestTCP, false
	case cmdWrite:
		return 3, false
	}
	return 0, false
}

func (d *Device) address(cmd byte, i int) op {
	if i >= len(d.cfg.Interfaces) {
		return answer(stRange)
	}
	f := d.cfg.Interfaces[i]
	if f.Unavailable {
		return answer(stNoIface)
	}
	if cmd == cmdMAC {
		return answer(stOK, f.MAC[:]...)
	}
	data := append(append(append([]byte(nil), f.IP[:]...), f.Mask[:]...), f.Gateway[:]...)
	return answer(stOK, data...)
}
