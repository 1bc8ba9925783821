package wifitest

import (
	"net/netip"
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/wifi"
)

// Put adds an access point, or replaces the one with its BSSID.
func (w *World) Put(a AP) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.SignalDBm == 0 {
		a.SignalDBm = -50
	}
	if a.Subnet == "" {
		a.Subnet = "192.168.1"
	}
	if a.Key != "" && a.Security == wifi.Open {
		a.Security = wifi.WPA2
	}
	if i := w.at(a.BSSID); i >= 0 {
		w.aps[i] = a
		return
	}
	w.aps = append(w.aps, a)
}

// Change changes an access point. Who is associated stays so.
func (w *World) Change(bssid string, change func(*AP)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.aps[w.at(bssid)])
}

// Remove takes an access point away. Who was associated loses it.
func (w *World) Remove(bssid string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.aps = slices.DeleteFunc(w.aps, func(a AP) bool { return a.BSSID == bssid })
	if w.link != nil && w.link.ap.BSSID == bssid {
		w.cut(4, false)
	}
}

func (w *World) at(bssid string) int {
	return slices.IndexFunc(w.aps, func(a AP) bool { return a.BSSID == bssid })
}

// Kick ends the association, by the access point's wish, for a reason of IEEE
// 802.11.
func (w *World) Kick(reason uint16) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.link != nil {
		w.cut(reason, true)
	}
}

// cut ends the association. The mutex is held.
func (w *World) cut(reason uint16, byAP bool) {
	w.link = nil
	w.joining++
	w.tell(wifi.Event{Kind: wifi.Lost, Interface: w.iface.Index, Code: reason, ByAP: byAP})
}

// Roam associates with another access point at once, as a driver does on its own.
func (w *World) Roam(bssid string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.joining++
	w.link = &link{ap: w.aps[w.at(bssid)], id: w.joining, began: time.Now()}
	w.tell(wifi.Event{Kind: wifi.Roamed, Interface: w.iface.Index})
}

// Vanish takes the interface away, as a firmware's crash does.
func (w *World) Vanish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.vanish()
}

func (w *World) vanish() {
	if w.iface.Index == 0 {
		return
	}
	w.link, w.up, w.iface, w.address = nil, false, wifi.Interface{}, netip.Prefix{}
	w.joining++
	w.tell(wifi.Event{Kind: wifi.Changed})
}

// Return brings the interface back under a name.
func (w *World) Return(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.name = name
	w.appear()
	w.tell(wifi.Event{Kind: wifi.Changed})
}

// FailScans lets the next scans fail with these errors.
func (w *World) FailScans(errs ...error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scanFaults = append(w.scanFaults, errs...)
}

// FailJoins lets the next joins fail with these errors.
func (w *World) FailJoins(errs ...error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.joinFaults = append(w.joinFaults, errs...)
}

// Sicken lets every call for the air time out until the radio is switched off
// and on, or, if deeply, until its driver is loaded anew.
func (w *World) Sicken(deeply bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sick = dizzy
	if deeply {
		w.sick = crashed
	}
	if w.link != nil {
		w.cut(1, false)
	}
}

// Lack takes the hardware, its driver or its firmware away.
func (w *World) Lack(m wifi.Missing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.missing, w.loaded = m, false
	w.vanish()
}

// Block switches the radio off in a way that only an owner can undo.
func (w *World) Block(blocked bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.blocked = blocked
	if blocked && w.link != nil {
		w.cut(3, false)
	}
}

// Deafen keeps the kernel from telling anything on its own.
func (w *World) Deafen() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deaf = true
}

// KillClient ends the DHCP clients, as a server that does not answer does.
func (w *World) KillClient() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.clients {
		c.finish()
	}
}
