// Package web is the device's pages: its state, its settings, and the C64's
// program ready to load. They are made on the server, work without script, and
// are read on a phone of 320 pixels as on a desktop.
//
// What it does not promise: nothing is encrypted, so whoever listens on the network
// sees the password; sign-ins end with the process; two browsers that change the
// same settings at once overwrite each other field by field; the address in a
// program that is handed out is the one the browser used, which a C64 on another
// network may not reach; whoever can send from the owner's own IPv6 network, or from
// many addresses, can keep browsers waiting that have not signed in here before.
//
// Who may see what follows from the settings alone. While no password was ever
// set only Welcome answers, which sets it, and only to the local network. While
// the settings are lost only Home answers, without a single button. Otherwise
// everything needs a sign-in. The C64's program, the health check and the style
// sheet always answer: they change nothing and tell no secret.
//
// Invariants: no request but a POST changes anything; a POST counts only with the
// token of its own cookie and from our own pages; the name in a Host header is one
// of ours or an address, so that no foreign name can be bent to this device; no
// page holds script or style of its own, and no header holds what a visitor wrote;
// a secret goes into a page only where the owner asked to see it.
//
// A page is a file: page_NAME.go beside templates/NAME.html, and a line in pages.go.
package web
