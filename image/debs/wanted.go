package debs

import "strings"

// wanted are the packages that the device is to have; apt adds what they need.
var wanted = []string{"git", "busybox-static", "wireless-regdb", "e2fsprogs"}

// unwanted are packages that those depend on and the device does without, by the
// begin of their names: package management, Perl (for git commands that the agent
// does not need), manuals, a key store of the LDAP library, and what other programs of
// e2fsprogs need than the one that is kept. A test proves that no
// program or library in the image misses a library for it.
var unwanted = []string{
	"dpkg", "tar", "gcc-", "perl", "libperl", "liberror-perl", "libgdbm", "libdb", "git-man",
	"libsasl2-modules", "libmd0", "libacl1", "libselinux1", "libbz2", "liblzma", "libcrypt1",
	"libss2", "logsave",
}

func isUnwanted(name string) bool {
	for _, u := range unwanted {
		if strings.HasPrefix(name, u) {
			return true
		}
	}
	return false
}
