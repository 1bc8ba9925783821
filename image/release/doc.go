// Package release makes signed update bundles of images, and the keys for that.
//
// It builds nothing: what goes into a bundle is read from a finished image, so an
// update is to the byte what a freshly flashed card has. The kernel and what lies
// beside it do not come along; see package update.
package release
