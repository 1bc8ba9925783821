package guardlog

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// Places is where the bridge is to be found by a program on the same machine.
type Places struct {
	Bridge string `json:"bridge"` // HOST:PORT
	Pages  string `json:"pages"`
}

// placesName is a file in a folder that is empty at each start of the system.
const placesName = "prompt64-places.json"

// PlacesFile is where the bridge of this machine says its places.
func PlacesFile() string { return filepath.Join(os.TempDir(), placesName) }

// WritePlaces says where the bridge is.
func WritePlaces(file string, p Places) error {
	text, err := json.Marshal(p)
	if err == nil {
		err = replace(file, text)
	}
	if err != nil {
		return fmt.Errorf("write where the bridge is: %w", err)
	}
	return nil
}

// ReadPlaces reads where the bridge is; what it does not say is as in otherwise.
func ReadPlaces(file string, otherwise Places) Places {
	var p Places
	if readJSON(file, &p) != nil {
		return otherwise
	}
	if p.Bridge == "" {
		p.Bridge = otherwise.Bridge
	}
	if p.Pages == "" {
		p.Pages = otherwise.Pages
	}
	return p
}

// Dialable is the address to dial on this machine for a listener at addr, whose
// host may stand for every address; nil gives none.
func Dialable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return ""
	}
	host := tcp.IP.String()
	if tcp.IP == nil || tcp.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, fmt.Sprint(tcp.Port))
}

// DumpName is the file in the data folder that the bridge writes its goroutines
// to on SIGUSR1, replacing the former one in one step.
const DumpName = "goroutines.txt"

// WriteDump replaces the dump in a data folder.
func WriteDump(data string, text []byte) error {
	if err := replace(filepath.Join(data, DumpName), text); err != nil {
		return fmt.Errorf("write the goroutines: %w", err)
	}
	return nil
}
