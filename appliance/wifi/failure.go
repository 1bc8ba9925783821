package wifi

import (
	"errors"
	"fmt"
	"syscall"
)

// Cause is why there is no Wi-Fi.
type Cause uint8

// The causes.
const (
	NoCause Cause = iota
	RadioMissing
	DriverMissing
	FirmwareMissing
	RadioSilent // hardware, driver and firmware are there, but no interface
	RadioBlocked
	RadioFault // a call to the driver failed
	ScanFault
	NothingSeen
	NoSuchNetwork
	WrongPassword
	WPA3Only
	EnterpriseOnly
	KeyNeeded
	KeyNotUsed
	DriverNoWPA2
	RefusedJoin
	NoAnswer
	WeakSignal
	NoAddress
	LostLink
	InterfaceGone
)

// Failure is why something did not work, for people.
type Failure struct {
	Cause Cause
	SSID  string // the network that was tried; may be empty
	Code  uint16 // IEEE 802.11 status or reason; 0: none
	Err   error  // what the system said; may be nil
}

// Error is the failure in words, and what to do.
func (f *Failure) Error() string { return f.sentence() }

// Unwrap returns what the system said.
func (f *Failure) Unwrap() error { return f.Err }

// fail makes a Failure.
func fail(cause Cause, ssid string, err error) *Failure {
	return &Failure{Cause: cause, SSID: ssid, Err: err}
}

// suspicion is how much the failure speaks against the radio itself.
func (f *Failure) suspicion() int {
	switch f.Cause {
	case RadioSilent, RadioFault, ScanFault, NothingSeen, InterfaceGone:
		return suspectFault
	case RefusedJoin, NoAnswer, LostLink, NoAddress:
		return suspectRefusal
	}
	return 0
}

// gone reports whether an error means that the interface is not there any more.
func gone(err error) bool {
	return errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO)
}

// radioFailure tells a vanished interface and a blocked radio from other faults.
func radioFailure(ssid string, what string, err error) *Failure {
	cause := RadioFault
	switch {
	case gone(err):
		cause = InterfaceGone
	case errors.Is(err, ErrBlocked):
		cause = RadioBlocked
	case errors.Is(err, ErrNotSupported):
		cause = DriverNoWPA2
	}
	return fail(cause, ssid, fmt.Errorf("%s: %w", what, err))
}
