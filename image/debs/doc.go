// Package debs fetches the Debian packages whose files the device has: for its agent
// git with its libraries and a static busybox, for itself the program that makes /perm
// anew, and the radios' table of countries.
//
// It is no package manager: nothing is configured, no script of a package runs, and
// what a package depends on was decided when the lock file was written. A Debian (or
// a relative with the same packages) is needed, for apt-get and dpkg-deb.
//
// lock.tsv names each package of each architecture with its version and digest.
// [Fetch] takes packages from the cache or from apt's sources, and gives none whose
// digest is another; apt's own signatures are checked as well when it downloads.
// [Renew] writes the file anew, from what apt's sources have today (scripts/image-lock).
// Both use apt with folders of their own, so that the computer's own state stays
// untouched.
package debs
