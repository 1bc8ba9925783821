package link

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
)

// keeper holds the line's port open: it finds the adapter, hands it to the line
// and looks for it again when it is gone.
type keeper struct {
	cfg   Config
	line  *line
	ended <-chan struct{}

	serial string // the adapter's USB serial number, once it was seen
	listed bool   // the system listed the port that is open
	said   string // the last trouble that was logged
}

// run works until the line has ended.
func (k *keeper) run() {
	for !isClosed(k.ended) {
		path, port := k.find()
		if port == nil {
			k.pause()
			continue
		}
		k.serve(path, port)
	}
}

func (k *keeper) pause() {
	timer := time.NewTimer(k.line.tune.findEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-k.ended:
	}
}

// find opens the adapter, if it is there.
func (k *keeper) find() (string, Port) {
	devices, err := k.cfg.List()
	if err != nil {
		devices = nil // the path still says where to look
	}
	path := k.choose(devices)
	port, err := k.cfg.Open(path, k.cfg.Baud)
	if err != nil {
		k.say(err)
		return "", nil
	}
	device, listed := deviceAt(devices, path)
	if k.listed = listed; k.serial == "" {
		k.serial = device.Serial
	}
	k.said = ""
	k.line.log.Info("serial line open", "path", path, "usb", k.serial, "baud", k.cfg.Baud)
	return path, port
}

// choose says where the adapter is: where its serial number is now, or else at
// the path that was named.
func (k *keeper) choose(devices []Device) string {
	if k.serial != "" {
		for _, d := range devices {
			if d.Serial == k.serial {
				return d.Path
			}
		}
	}
	return k.cfg.Port
}

// say logs a trouble once, until another takes its place.
func (k *keeper) say(err error) {
	if words := err.Error(); words != k.said {
		k.said = words
		k.line.log.Warn("serial line not open, looking for it", "port", k.cfg.Port, "err", err)
	}
}

// serve lets the line use a port until that fails, vanishes or the line ends.
func (k *keeper) serve(path string, port Port) {
	w := newWire(port, k.line.packets)
	defer w.close()
	select {
	case k.line.attach <- w:
	case <-k.ended:
		return
	}
	look := time.NewTicker(k.line.tune.findEvery)
	defer look.Stop()
	for {
		hang.Here("serial keeper")
		select {
		case <-w.gone:
			k.line.log.Warn("serial line lost, looking for it", "path", path, "err", w.cause)
			k.release(w)
			if _, fault := errors.AsType[*guarded.Fault](w.cause); fault {
				k.pause() // it may come again at once
			}
			return
		case <-look.C:
			if !k.there(path) { // some drivers never tell a Read
				w.fail(errVanished)
			}
		case <-k.ended:
			return
		}
	}
}

func (k *keeper) release(w *wire) {
	select {
	case k.line.detach <- w:
	case <-k.ended:
	}
}

// there says whether the adapter is still where it was opened. What the system
// did not list at all is believed to be there.
func (k *keeper) there(path string) bool {
	devices, err := k.cfg.List()
	if err != nil || !k.listed {
		return true
	}
	device, listed := deviceAt(devices, path)
	return listed && (k.serial == "" || device.Serial == k.serial)
}

// deviceAt finds a port in the list; its path may be a symbolic link.
func deviceAt(devices []Device, path string) (Device, bool) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	for _, d := range devices {
		if d.Path == path || d.Path == target {
			return d, true
		}
	}
	return Device{}, false
}
