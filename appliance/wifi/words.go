package wifi

import "fmt"

// sentence says what failed and what to do.
func (f *Failure) sentence() string {
	switch f.Cause {
	case RadioMissing:
		return "this computer has no Wi-Fi radio that is known here; connect it by cable"
	case DriverMissing:
		return "the system on the card has no driver for the Wi-Fi radio; connect it by cable and update it"
	case FirmwareMissing:
		return "the card lacks the Wi-Fi radio's own program (firmware), which may not be given away with Prompt64; write the card with the firmware files, or connect it by cable"
	case RadioSilent:
		return "the Wi-Fi radio does not answer; it is started again, and if that does not help switch the power off and on"
	case RadioBlocked:
		return "the Wi-Fi radio is switched off (rfkill); switch it on"
	case RadioFault:
		return "the Wi-Fi radio reports a fault" + f.inBrackets() + "; it is tried again"
	case ScanFault:
		return "looking for networks fails" + f.inBrackets() + "; it is tried again"
	case NothingSeen:
		return "no network at all is in reach; check the antenna, the case and the country"
	case InterfaceGone:
		return "the Wi-Fi radio went away; it is awaited"
	case LostLink:
		return f.name() + " was lost" + f.reasonWords() + "; it is tried again"
	}
	return f.name() + ": " + f.refusal()
}

// refusal says why a network could not be joined.
func (f *Failure) refusal() string {
	switch f.Cause {
	case NoSuchNetwork:
		return "no such network is in reach; check the name letter by letter, also upper and lower case, and that the country allows its channel"
	case WrongPassword:
		return "the password seems to be wrong; enter it again"
	case WPA3Only:
		return "it speaks WPA3 only, which cannot be joined; let the router speak WPA2 too"
	case EnterpriseOnly:
		return "it asks for a user's name (WPA Enterprise), which cannot be joined; take another network"
	case KeyNeeded:
		return "it wants a password and none is set; enter it"
	case KeyNotUsed:
		return "it does not speak WPA2: it is open or its encryption is too old; remove the password if it is open, or let the router speak WPA2"
	case DriverNoWPA2:
		return "this radio cannot join WPA2 networks by itself; use the Raspberry Pi's own radio"
	case RefusedJoin:
		return "the router refuses" + f.reasonWords() + "; it is tried again"
	case NoAnswer:
		return "the router does not answer; it is tried again"
	case WeakSignal:
		return "the signal is too weak; move the device or the router"
	case NoAddress:
		return "joined, but the router gives no address (DHCP); check the router"
	}
	return "it cannot be joined" + f.inBrackets()
}

func (f *Failure) name() string {
	if f.SSID == "" {
		return "the network"
	}
	return fmt.Sprintf("%q", f.SSID)
}

func (f *Failure) inBrackets() string {
	if f.Err == nil {
		return ""
	}
	return " (" + f.Err.Error() + ")"
}

// reasonWords adds what the code says, where people can use it.
func (f *Failure) reasonWords() string {
	if f.Code == 0 {
		return ""
	}
	if words := codeWords[f.Code]; words != "" && f.Cause == LostLink {
		return ": " + words
	}
	if f.Cause == RefusedJoin && f.Code == statusFull {
		return ": it serves as many as it can"
	}
	return fmt.Sprintf(" (code %d)", f.Code)
}

// Codes of IEEE 802.11-2020, tables 9-49 (reasons) and 9-50 (status).
const (
	reasonPrevAuthInvalid = 2
	reasonDeauthLeaving   = 3
	reasonInactive        = 4
	reasonFull            = 5
	reasonMICFailure      = 14
	reasonHandshake       = 15
	reason8021X           = 23

	statusAuthTimeout = 16
	statusFull        = 17
)

var codeWords = map[uint16]string{
	reasonPrevAuthInvalid: "the router forgot this device",
	reasonDeauthLeaving:   "the router went away",
	reasonInactive:        "the router heard nothing for too long",
	reasonFull:            "the router has too many devices",
	reasonMICFailure:      "the keys do not match",
	reasonHandshake:       "the keys were not agreed on",
	reason8021X:           "the router did not accept the key",
}

// aboutKey reports whether a reason is one that a wrong password has.
func aboutKey(code uint16) bool {
	switch code {
	case reasonPrevAuthInvalid, reasonMICFailure, reasonHandshake, reason8021X:
		return true
	}
	return false
}
