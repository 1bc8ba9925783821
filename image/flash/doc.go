// Package flash writes the image of a card onto a card, and reads it back.
//
// What it does not promise: a card that lies about its size, or that loses what it
// once read back, is not found out. What was on the card before is gone as soon as
// [Flasher.Write] begins, and what lies behind the image is not erased. On macOS
// nothing of this was tried.
//
// The idea: the image is read twice. The first time it is only looked at, so that a
// download that broke off is found before anything is erased; the second time it is
// written, without its first piece. That comes last: until then the card has no
// partition table and starts no computer, so a half-written one is never taken for a
// whole one. Then everything is read back past the page cache and compared.
//
// Invariants: nothing is written to a disk that is mounted or in use, that carries
// the running system, or that is not removable, unless the caller was told so, and
// never the first two of them. Every end, also one by an error, has a [State] that
// says in words what the card is worth.
package flash
