// Command guard watches over the bridge of a device: it asks it for an answer
// every five seconds, has it started again when none comes, and reboots the
// device when that does not help.
//
// What it does not promise: it sees a bridge that answers nobody, and one that
// takes too much memory; one that answers and is wrong looks well. A kernel that
// hangs is for the hardware watchdog, which gokrazy's init feeds. Where its count
// of reboots cannot be kept (a card that is full or worn out), it does not reboot,
// since nothing would end that; it restarts the bridge only.
//
// The idea: a round trip like a C64's and one like a browser's, with bytes of its
// own: it shares no code with the bridge but the package guardlog, so that a
// fault there does not blind both. Three failures in a row are a reason to act:
// the bridge is told to write down its goroutines, then gokrazy restarts it. The
// third restart within ten minutes is a reboot instead, at most three a day; a
// day is over when both the wall clock and the time that the device has run say
// so, since either may be wrong.
//
// A bridge that starts has a minute before failures count. Where it has something to do
// first, such as to make a file system on a slow card, it says so each time that it gets
// on, and has until 15 minutes after the start of the system. Work that no longer gets
// on is none.
//
// The bridge writes its goroutines in a goroutine of its own, on SIGUSR1, into
// the data folder: SIGQUIT would end it with the same text on standard error, of
// which gokrazy keeps 100 lines in memory. That is the last resort, for a process
// that does not even handle a signal; what is in gokrazy's log is saved then.
//
// A trial of an update that is not committed five minutes after the system's start,
// or that fails three times in a row before, is ended by a reboot, which brings the
// former version back. Such reboots have no limit: each ends a trial. During a trial
// guard feeds the hardware watchdog too, where init has lost hold of it (Feed).
//
// Everything that is done to the machine goes through the interface system.
package main
