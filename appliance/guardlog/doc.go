// Package guardlog is the little that the guard and the bridge share: a file in
// the data folder with what the guard did and why, where the bridge is to be
// found, what it is at before it answers, and where it writes its goroutines when
// the guard asks.
//
// What it does not promise: there is one writer of each file and no lock. A file
// that cannot be read is one without entries, so that nothing hinders the guard.
package guardlog
