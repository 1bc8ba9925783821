// Package update replaces the device's root file system by one from a signed
// bundle, and goes back by itself where the new one does no good.
//
// What it does not promise: kernel, firmware and boot loader are not updated, since
// they share one partition that cannot be replaced safely; a root whose guard is
// broken is refused unless the owner says otherwise, since it is guard that ends a
// trial; and what the owner's data look like after a newer version wrote them is not
// undone by a roll back.
//
// The card has two partitions for a root, called slots. An update goes into the one
// that is not running, is read back, and is then armed: both boot files get
// gokrazy's flag for one trial start, while their root= stays the old one. So every
// start but that one is the old version until the trial is committed, and a trial
// that hangs, crashes or is cut needs nobody: the next start is the old version.
//
//	idle -> verify -> write -> read back -> armed -> trial -> committed -> settled
//	                                            \______________________/
//	                                               -> rolled back
//
// A trial is a running root that is not the root= of /proc/cmdline. It is committed
// after a minute in which everything did well; guard starts the device again if that
// did not happen within five. One more start follows the commit, and until then no
// update is taken, because gokrazy's own idea of the free slot is the running one.
//
// The record, a small file that is replaced in one step, always leads: it says armed
// before the boot files do. Each start compares the record, the boot files and what
// runs, and makes them agree; see reconcile.
package update
