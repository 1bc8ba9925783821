// Package agent installs the programs of coding agents in the data folder, and
// says what one still lacks to run.
//
// It does not vouch for a program: it installs exactly the archive whose digest
// it was given, and no program is safer for that. It does not update by itself,
// does not sign in, and does not watch a program that runs. A local archive is
// read twice, so it must not be changed by others meanwhile.
//
// The folder of an agent, such as agents/codex in the data folder:
//
//	lock               held while something changes here
//	current            link to the version that the bridge starts
//	former             link to the one before it
//	versions/NAME      a whole version with a receipt of its files
//	staging            what is being unpacked or thrown away
//	download           what is being fetched
//
// Invariants: what is in versions is whole and on the disk, because a version
// moves there only after all of it was written, synced and tested; current names
// a whole version or nothing, because it is replaced by one rename. So a kill or
// a power cut at any moment leaves the old or the new version, and the next
// installation sweeps up. A version that a bridge uses is never removed.
package agent
