package main

import (
	"os"
	"path/filepath"

	"github.com/prompt64/prompt64/appliance/bootpart"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/firstboot"
)

// What a device uses where neither the command line nor the settings say
// otherwise.
const (
	deviceData   = "/perm/prompt64"
	deviceListen = ":6464"
	deviceWeb    = ":80"
)

// forDevice fills in a device's defaults for what the command line does not name.
func (o serveOptions) forDevice() serveOptions {
	for name, value := range map[string]struct {
		option *string
		value  string
	}{
		"data": {&o.data, deviceData}, "listen": {&o.listen, deviceListen}, "web": {&o.web, deviceWeb},
	} {
		if !o.given[name] {
			*value.option = value.value
		}
	}
	o.boot, o.storage, o.wifi, o.user = bootpart.Open(), firstboot.Machine{Alive: tellWork("the data partition is being made anew")}, true, deviceUser
	return o
}

// devicePath is where the image has its programs. gokrazy starts everything with
// a PATH of its own two folders, whatever the instance says.
const devicePath = "/usr/bin:/bin:/usr/sbin:/sbin"

// findPrograms lets this program and those it starts find git and the shell.
func findPrograms() error { return os.Setenv("PATH", devicePath+":"+os.Getenv("PATH")) }

// settingsOptions say where the settings are. A workstation's owner may name any
// folder for workspaces; a device's are in its data folder.
func (o serveOptions) settingsOptions() config.Options {
	options := config.Options{Dir: o.data, Root: "/", Providers: providerNames()}
	if o.device {
		options.Root = ""
		options.Boot = o.boot
		// Beside the data folder, to notice that the folder is lost.
		options.Marker = filepath.Clean(o.data) + ".was-set-up"
	}
	return options
}
