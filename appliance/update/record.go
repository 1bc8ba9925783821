package update

import (
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/mod/semver"
)

// Phase is how far an update has come.
type Phase string

// The phases.
const (
	Idle       Phase = "idle"
	Verify     Phase = "verify"    // the bundle is being received and checked
	Write      Phase = "write"     // the free slot is being written
	ReadBack   Phase = "read back" // and compared
	Armed      Phase = "armed"     // the next start is the trial
	Trial      Phase = "trial"     // the new version runs and is watched
	Committed  Phase = "committed" // the new version stays; one more start follows
	Settled    Phase = "settled"   // the new version was started as any other
	RolledBack Phase = "rolled back"
)

// Slot is a partition for a root file system, by its number.
type Slot int

// The slots.
const (
	SlotA Slot = 2
	SlotB Slot = 3
)

// Other returns the other slot.
func (s Slot) Other() Slot { return SlotA + SlotB - s }

// Valid reports whether there is such a slot.
func (s Slot) Valid() bool { return s == SlotA || s == SlotB }

// Root is a root file system in a slot.
type Root struct {
	Slot    Slot   `json:"slot"`
	Version string `json:"version"`
	Minimum string `json:"minimum,omitempty"` // see bundle.Manifest
	Size    int64  `json:"size,omitempty"`    // 0: not known
	SHA256  string `json:"sha256,omitempty"`
}

// Outcome is how an update ended.
type Outcome string

// The outcomes.
const (
	Installed Outcome = "installed"
	Refused   Outcome = "refused" // nothing was written
	Failed    Outcome = "failed"  // what runs was not touched
	WentBack  Outcome = "rolled back"
)

// Result is the end of an update.
type Result struct {
	Outcome Outcome   `json:"outcome"`
	Version string    `json:"version,omitempty"`
	Reason  string    `json:"reason,omitempty"` // in words, empty for Installed
	At      time.Time `json:"at"`
}

// record is what outlives a start.
type record struct {
	Phase Phase `json:"phase"`
	// From and To are the roots of the update under way, or of the last one.
	From Root `json:"from"`
	To   Root `json:"to"`
	// Boot is the kernel's boot ID when the phase began.
	Boot string `json:"boot,omitempty"`
	// Network are the interfaces that had an address when the update was armed.
	Network []string `json:"network,omitempty"`
	// Trouble is why the trial was not committed so far.
	Trouble string `json:"trouble,omitempty"`
	// Former is the root in the slot that does not run, if it is whole.
	Former *Root `json:"former,omitempty"`
	// Floor is the oldest version that is taken.
	Floor string  `json:"floor,omitempty"`
	Last  *Result `json:"last,omitempty"`
}

// parseRecord reads a record. One that cannot be read is none: what runs and the
// boot files say enough to go on safely.
func parseRecord(data []byte) (record, error) {
	fresh := record{Phase: Idle}
	if len(data) == 0 {
		return fresh, nil
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return fresh, fmt.Errorf("record of updates: %w", err)
	}
	if r.Phase == "" {
		r.Phase = Idle
	}
	return r, nil
}

// raiseFloor makes sure that nothing older than version is taken any more.
func (r *record) raiseFloor(version string) {
	if semver.IsValid(version) && semver.Compare(version, r.Floor) > 0 {
		r.Floor = version
	}
}

// Under reports whether an update is under way that outlives a start.
func (p Phase) Under() bool {
	switch p {
	case Verify, Write, ReadBack, Armed, Trial, Committed:
		return true
	}
	return false
}
