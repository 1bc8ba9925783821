// Package drive sits at the C64 as a person does: it reads the screen, waits
// for words on it, types on the keyboard matrix, and pulls the network cable.
//
// It does not promise that text is recognised in a font of the program's own:
// glyphs that differ from the character ROM's are known by Config.Glyphs only,
// and show as U+FFFD otherwise.
//
// All times are emulated. Every error carries the screen.
package drive
