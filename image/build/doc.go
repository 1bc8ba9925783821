// Package build makes the image of a card: gokrazy's packer does the partitions,
// and what it leaves open is done here.
//
// It promises no equal bytes in /perm, and none between different versions of Go.
// With one version, two builds of one commit give the same boot and root partition,
// byte for byte: the packer is compiled with the commit's time for its clock (see
// packer.go), paths are trimmed from programs, and neither certificates nor the
// time zone come from the computer that builds.
//
// The image holds no secret of its own. A Wi-Fi key that the owner gives goes into
// prompt64.json on the boot partition, from where the device takes it at its first
// start and overwrites it; whoever passes the image on before that passes it on too.
//
// The steps: an instance in a temporary folder (instance.go) with the extra files
// of the root partition (rootfs.go), the packer (packer.go), then the image is
// finished in place (finish.go): the type and free space of the boot partition,
// the file with the settings, and the file system of /perm.
package build
