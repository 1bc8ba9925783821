package ultimatetest

import (
	"net/http"
	"strconv"
)

// Fault is what a device does to one request instead of answering it.
type Fault string

// The faults.
const (
	Busy      Fault = "busy"      // 423: its menu has the machine
	Drop      Fault = "drop"      // the connection ends before the answer
	DropLater Fault = "later"     // it carries the request out, and then the connection ends
	Cut       Fault = "cut"       // the connection ends within the answer
	Redirect  Fault = "redirect"  // 302 to another device
	Endless   Fault = "endless"   // an answer that does not end
	Silent    Fault = "silent"    // no answer while the test lasts
	Garbage   Fault = "garbage"   // no HTTP at all
	NoJSON    Fault = "no-json"   // 200 with a page for people
	Forgetful Fault = "forgetful" // 200, and nothing was done
	Crash     Fault = "crash"     // 500
)

// Next lets faults happen, one a request, to the next requests.
func (u *Ultimate) Next(faults ...Fault) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.faults = append(u.faults, faults...)
}

func (u *Ultimate) nextFault() (f Fault) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.faults) > 0 {
		f, u.faults = u.faults[0], u.faults[1:]
	}
	return f
}

// fail does what a fault is, and reports whether there was one.
func (u *Ultimate) fail(w http.ResponseWriter, f Fault) bool {
	switch f {
	case "", DropLater:
		return false
	case Busy:
		u.errors(w, http.StatusLocked, "Could not obtain lock of subsystem")
	case Crash:
		u.errors(w, http.StatusInternalServerError, "Generic Error")
	case Forgetful:
		u.errors(w, http.StatusOK)
	case NoJSON:
		_, _ = w.Write([]byte("<html>Welcome</html>"))
	case Redirect:
		w.Header().Set("Location", "http://"+u.lan.address(3).String()+":"+strconv.Itoa(int(u.lan.Port))+"/v1/info")
		w.WriteHeader(http.StatusFound)
	case Silent:
		<-u.done
	case Endless:
		for {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return true
			}
		}
	case Drop, Garbage, Cut:
		u.breakOff(w, f)
	}
	return true
}

// breakOff ends a connection, with some bytes before it or none.
func (u *Ultimate) breakOff(w http.ResponseWriter, f Fault) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	switch f {
	case Garbage:
		_, _ = conn.Write([]byte("*** COMMODORE 64 BASIC V2 ***\r\n\r\n"))
	case Cut:
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{ \"prod"))
	}
}
