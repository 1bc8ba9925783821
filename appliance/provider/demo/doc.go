// Package demo is the embedded agent: a small scripted one that works offline,
// without an account, and really writes files and runs commands in its
// workspace.
//
// It does not think, it does not understand a prompt beyond a few words, and
// its commands are run as the bridge's own user without a sandbox: access modes
// and approvals are all that stands between a command and the machine. Only
// /write is confined beneath the workspace.
//
// A plain prompt gets a short answer. A prompt that begins with a slash is a
// command; /help lists them. Tests and tools outside of this repository use
// their exact form, so a change to one is a change to an interface.
//
// A Provider keeps its sessions as one file each in the data folder, replaced
// atomically when a turn begins and when it ends. A file that cannot be read is
// left alone and left out; a folder that cannot be written costs the memory of
// the sessions, never a turn. One process uses a data folder at a time.
package demo
