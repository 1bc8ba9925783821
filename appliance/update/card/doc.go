// Package card is the device as an update needs it: the card's two slots, the boot
// files beside them, and what runs.
//
// What it does not promise: FAT has no journal, so the boot files are overwritten
// where they lie, one sector each, and never change their length; a card that claims
// to have written what it has not is beyond what can be checked here.
//
// The image says what it is in image.json in /etc/prompt64, see About.
package card
