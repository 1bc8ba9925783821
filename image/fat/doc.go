// Package fat gives the boot partition free space, and puts files into its root
// folder.
//
// It is no FAT implementation: it reads what gokrazy's packer writes, which is
// FAT16 with one table and 2 KiB clusters, and refuses everything else. Files are
// only added, and only where their names are free.
//
// gokrazy's file system is exactly as large as its content, so that nobody could
// drop a file into it. Extend makes the table and the root folder larger and leaves
// every cluster, name and order as they are: gokrazy's own reader in the device
// finds cmdline.txt and vmlinuz by the names that its writer chose, and
// needs files in one piece, so a fresh file system by other tools is no good.
package fat
