// Package folders makes, clones and deletes the workspaces: the folders right
// beneath the workspace root.
//
// What it does not promise: whoever may write in the root, as the agent does, can
// put other things in the place of what is made here while it is made; what a
// repository holds is not judged; submodules and large files kept elsewhere (LFS)
// are not fetched; a clone that is cut off is not resumed.
//
// Invariants: a workspace's name is one component that could not be a path, and no
// path leaves the root; a workspace appears whole under its name or not at all; one
// that exists is never overwritten; deleting never follows a link.
//
// git runs with a configuration of our own: no hook, no filter, no helper, no
// template and no shell, no protocol but https, nobody to ask for a password. A
// token goes to it in its environment, for the one host that it is for, and is
// kept nowhere.
package folders
