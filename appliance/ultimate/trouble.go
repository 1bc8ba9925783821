package ultimate

import "fmt"

// Code says what kind of trouble a device has.
type Code string

// The troubles.
const (
	ServiceOff     Code = "service-off"     // it is there, but its REST API is not
	Unreachable    Code = "unreachable"     // nothing answered at all
	OldFirmware    Code = "old-firmware"    // it has no REST API
	PasswordNeeded Code = "password-needed" // none was given
	PasswordWrong  Code = "password-wrong"  // another one was given
	InterfaceOff   Code = "interface-off"   // the command interface is off
	NoInterface    Code = "no-interface"    // there is no such setting
	NotSaved       Code = "not-saved"       // it is on, but only until it is switched off
	Busy           Code = "busy"            // another request or its menu holds it
	Lost           Code = "lost"            // the connection broke, or it fell silent
	Refused        Code = "refused"         // it said no
	Strange        Code = "strange"         // it answers, but not as an Ultimate does
	NotLocal       Code = "not-local"       // the address is in no network of this machine
	BadProgram     Code = "bad-program"     // what should run is no PRG
)

// Trouble is what keeps a device from being used, in words.
type Trouble struct {
	Code Code   `json:"code"`
	Says string `json:"says"` // what is
	Do   string `json:"do"`   // what to do next
}

// Error is both sentences.
func (t *Trouble) Error() string { return t.Says + " " + t.Do }

var _ error = (*Trouble)(nil)

// setting is where an owner finds a switch; the menus of the products differ.
const (
	webSetting       = "In the Ultimate's menu, choose Network Settings (on a C64 Ultimate: Network Services & Timezone), switch Web Remote Control Service on, and save."
	interfaceSetting = "In the Ultimate's menu, press F2, choose C64 and Cartridge Settings (on some: Cartridge and ROM Settings, or Memory Configuration), switch Command Interface on, and save."
)

var (
	serviceOff     = &Trouble{ServiceOff, "The Ultimate is there, but its web service does not answer.", webSetting}
	unreachable    = &Trouble{Unreachable, "Nothing answers at this address.", "See that the Ultimate is switched on and in the same network, and compare the address with the one in its menu. " + webSetting}
	oldFirmware    = &Trouble{OldFirmware, "This device has no remote control of the kind that is needed.", "If it is an Ultimate, update its firmware to 3.11 or newer, or copy prompt64.prg to its USB stick and run it from its menu."}
	passwordNeeded = &Trouble{PasswordNeeded, "The Ultimate asks for its network password.", "Enter the password that is set in its menu under Network Settings, Network Password."}
	passwordWrong  = &Trouble{PasswordWrong, "The Ultimate does not take this password.", "Compare it with the one in its menu under Network Settings, Network Password; small and capital letters differ."}
	interfaceOff   = &Trouble{InterfaceOff, "The command interface is off, so the C64 cannot reach the network.", "Switch it on here, or by hand: " + interfaceSetting}
	noInterface    = &Trouble{NoInterface, "The device does not offer the command interface as a setting.", "Switch it on by hand: " + interfaceSetting}
	notSaved       = &Trouble{NotSaved, "The command interface is on, but the Ultimate did not save it: it will be off after the power was off.", "In the Ultimate's menu, press F2 and leave the settings with RUN/STOP; answer the question whether to save with yes."}
	busy           = &Trouble{Busy, "The Ultimate is busy.", "Close its menu on the C64's screen, wait a moment and try again."}
	lost           = &Trouble{Lost, "The Ultimate stopped answering.", "See that it is still in the network, and try again. If it stays like this, switch the C64 off and on."}
	maybeRuns      = &Trouble{Lost, "The Ultimate stopped answering after it got the program, so it may have started it.", "Look at the C64: if Prompt64 is not there, try again."}
)

func notLocal(what string) *Trouble {
	return &Trouble{NotLocal, fmt.Sprintf("%s is not in a network that this bridge is in.", what), "Give the address as four numbers, such as 192.168.1.64, as the Ultimate's menu shows it. The Ultimate and the bridge must be in the same network."}
}

func strange(what string) *Trouble {
	return &Trouble{Strange, "Something answers at this address, but not as an Ultimate does: " + what + ".", "Compare the address with the one in the Ultimate's menu. If it is right, update its firmware."}
}

func refused(status int, words string) *Trouble {
	says := fmt.Sprintf("The Ultimate refused it (%d).", status)
	if words != "" {
		says = fmt.Sprintf("The Ultimate refused it: %s (%d).", words, status)
	}
	return &Trouble{Refused, says, "Close its menu on the C64's screen and try again. If it stays like this, switch the C64 off and on."}
}

func badProgram(size int) *Trouble {
	return &Trouble{BadProgram, fmt.Sprintf("A file of %d bytes is no program for a C64.", size), "Take the program from this bridge's C64 page."}
}
