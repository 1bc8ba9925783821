// Package config keeps the device's settings: one JSON file, config.json in the
// data folder, that FIELDS.md describes field by field.
//
// What it does not promise: a file that somebody edits while the bridge runs is
// not noticed, and the next save replaces it (its text stays behind as
// config.json.last-good or config.json.damaged); a flipped bit that leaves the
// file whole and its values allowed is taken for an edit, since the file must
// stay editable by hand; a symbolic link is read but never replaced, so nothing
// can be saved then; two processes must not save into one folder; what a reset or
// a change removes is not wiped from the disk's free space, and a damaged file
// that a save put aside keeps what was written in it, secrets too, until a reset.
//
// Starting never fails. A torn, empty or wrong file gives way to
// config.json.last-good, and that one to closed defaults, under which nobody but
// the machine itself is let in. State says in words which of them is in use. Only
// a folder that never held settings opens Set-up; one that lost them waits for a
// file of its owner on the boot partition.
//
// A save is one transaction: the secrets go into a file of their own whose name
// is their digest, then config.json, which names that file, replaces the former
// one in one step, and the folder is synced. So a power cut leaves the old
// settings or the new, secrets included. What fails after that step is a warning,
// not a failed save, for the new settings are in force.
//
// Fields that this version does not know are kept, and warned of by name. A
// Secret shows itself to nobody who does not call Reveal.
package config
