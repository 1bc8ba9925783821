// Package transcript keeps what was said in sessions, for agents that do not keep
// it themselves, or not in the words that the user saw.
//
// It is not an archive: the oldest turns of a long session go, the oldest
// sessions of a workspace go, and one process uses a folder at a time.
//
//   - A session is one file, replaced atomically. A file that cannot be read is
//     left alone and left out; a folder that cannot be written costs the memory
//     of the sessions, never a turn.
//   - A Record belongs to the Store. It is held from Take or Create until Drop,
//     read in View and changed in Update; Save writes it.
//   - A count orders the sessions and not a clock, which may jump.
package transcript
