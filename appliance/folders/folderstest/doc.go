// Package folderstest is a server of a git repository for tests: git's own, over
// https on this machine. A Pack holds what a clone is sent back in its middle, so
// that a test can look at a clone that is half done, and cut it there.
//
// What it does not promise: nothing but git reads what it sends, and one
// repository is all that it has.
package folderstest
