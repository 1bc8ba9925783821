// Package gpt reads and writes the partition table of the card: a GUID partition
// table with 128 entries and 512-byte sectors, as gokrazy lays it out.
//
// It does not make tables, it does not handle other sector sizes, and it never
// touches the first sector (the hybrid MBR that the Pi's firmware reads, and
// BIOS boot code). It does not tell the kernel about a change.
//
// A table lies on a disk twice. [Table.Write] writes and syncs the copy at the
// disk's end before it touches the first, so that at every moment one of them is
// whole: a cut before leaves the old table, a cut within the first copy leaves
// the new one at the end. Linux looks there only when its command line has "gpt"
// (block/partitions/efi.c, find_valid_gpt), which is why config.json says so.
package gpt
