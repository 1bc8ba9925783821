// Package privsep runs programs that are not trusted, such as a coding agent and its
// git, as a user without rights, and touches that user's files with no more rights
// than the user has.
//
// What it does not promise: the user may read what is readable for everybody, use the
// network and fill the disk. A kernel without a controller for memory or processes
// sets no limit to them; [User.Lacks] says so. Programs of the user can end and change
// each other, but for those of [User.Inspector], which they can only end.
//
// The idea: the bridge stays root, since it must reboot, join networks and write the
// card. A program is started by [User.Start] with the user's number, no capability, no
// way to gain one (no_new_privs and an empty bounding set), and in a cgroup of its own
// with limits. The bridge's own work on the user's files is done within [User.Do],
// where the kernel takes the thread's file accesses for those of the user: a symbolic
// link that leads to something of root's then leads nowhere, whoever swapped it when.
//
// Invariants: what [Open] cannot make sure of is refused and never done as root; a nil
// *User does everything as whoever runs this program, for a workstation, where the
// agent is the owner's own; no file changes its owner by name, only a descriptor that
// was opened without following a link.
package privsep
