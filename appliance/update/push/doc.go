// Package push sends an update to a device and waits for how it ends, as a person
// at the device's pages would.
//
// It does not check the bundle: the device does. It promises nothing about the line;
// the password goes over it as a browser sends it.
package push
