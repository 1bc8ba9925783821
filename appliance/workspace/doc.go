// Package workspace is the part of the disk that a C64 may see: it confines
// paths beneath one root, lists the folders in it, and tells what changed in
// the git repository that holds a folder.
//
// What it does not promise: it does not confine the agent, which runs with
// rights of its own; filters (Git LFS) are never run, so a file that needs one
// counts as it lies on the disk; changes inside a submodule show only as
// another commit of it; a repository above the root is not looked for.
//
// A repository is never trusted. Its work tree and its .git folder are read by
// this package alone, through os.Root, and git runs only in a private folder:
// a git directory of our own with a configuration of our own, a copy of the
// index, and copies of the few files that differ. From the repository itself
// git opens nothing but object files, whose folders were checked before. So
// there is no configuration that could name a program, no hook, no link to
// follow, and nothing of the repository is ever written.
//
// Where the kernel has Landlock, git is held by it as well: to the box, the
// object stores as they were opened, and no program but itself. Elsewhere a
// store that is swapped between the check and git's reading could show objects
// of another repository, if their ids are known.
//
// An inspection has three seconds, 256 KiB of git's output and a bounded memory;
// two run at a time, others wait. What was cut is said.
//
// A folder belongs to the nearest repository at or above it, beneath the root;
// Summary and Changes speak of that whole repository, and paths are relative
// to its top.
package workspace
