package checks

import "golang.org/x/sys/unix"

// staUnsync is STA_UNSYNC of adjtimex(2).
const staUnsync = 0x0040

// clockSynced asks the kernel. A clock that is set in one step, as gokrazy does,
// does not count as following a server there.
func clockSynced() bool {
	var t unix.Timex // no modes: it only reads
	_, err := unix.Adjtimex(&t)
	return err == nil && t.Status&staUnsync == 0
}
