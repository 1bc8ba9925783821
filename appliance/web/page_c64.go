package web

import (
	"net/http"
	"strconv"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/d64"
)

// c64Page hands out the C64's program, and starts it where that can be done.
func c64Page() page {
	p := page{path: "/c64", label: "C64", icon: "c64", routes: []route{
		{"GET /c64", signedIn, func(v *visit) error { return v.showC64(http.StatusOK, c64Data{}) }},
		{"GET /prompt64.prg", anyone, download("prompt64.prg", plain)},
		{"GET /prompt64.d64", anyone, download("prompt64.d64", d64.Prompt64)},
	}}
	p.routes = append(p.routes, ultimateRoutes()...)
	return p
}

// c64Data is what templates/c64.html shows.
type c64Data struct {
	Program
	Port    uint16
	Serial  int    // speed of the serial line; 0: there is none
	Why     string // the address is none that a C64 can dial; empty: it is
	Needed  bool   // a code is needed by those that come from elsewhere, and there is none
	Search  bool   // Ultimates can be looked for
	Looked  bool
	Found   []Ultimate
	Error   string
	Confirm *Ultimate // whether it may be reset is asked
}

func (v *visit) showC64(status int, data c64Data) error {
	data.Program, data.Port, data.Search = v.program(), v.site.Port, v.site.Ultimates != nil
	data.Serial = v.serial()
	if err := c64prg.CheckHost(data.Host); err != nil {
		data.Why = err.Error()
	}
	data.Needed = pairingNow(v.site).Todo != ""
	return v.show(status, "c64", "C64", data)
}

// program is what the program for this visitor holds: the address that the
// browser used, which is the one that is known to work in the browser's network;
// and the pairing code only for those who could read it in Set-up.
func (v *visit) program() Program {
	p := Program{Host: hostOf(v.r.Host)}
	if v.session != nil && v.site.mode() == normal {
		p.Code = v.site.Settings.Settings().Pairing.Code.Reveal()
	}
	return p
}

// serial is the speed of the bridge's serial line; 0 where there is none.
func (v *visit) serial() int {
	if s := v.site.Settings.Settings().Serial; s.Port != "" {
		return s.Baud
	}
	return 0
}

// make makes the program in a shape. Its errors are faults.
func (v *visit) make(p Program, shape func(prg []byte) ([]byte, error)) ([]byte, error) {
	if err := c64prg.CheckHost(p.Host); err != nil && p.Baud == 0 {
		return nil, fault{http.StatusBadRequest, "A C64 cannot dial the address of this page: " + err.Error() +
			". Open the page by the bridge's name or IPv4 address.", nil}
	}
	file, err := v.site.Program(p)
	if err == nil {
		file, err = shape(file)
	}
	if err != nil {
		return nil, fault{http.StatusInternalServerError, "The program cannot be made; the log says why.", err}
	}
	return file, nil
}

// plain is the program as it is.
func plain(prg []byte) ([]byte, error) { return prg, nil }

// download hands out the program in a shape.
func download(name string, shape func(prg []byte) ([]byte, error)) func(*visit) error {
	return func(v *visit) error {
		p := v.program()
		if v.r.URL.Query().Get("link") == "serial" {
			p.Baud = v.serial()
		}
		file, err := v.make(p, shape)
		if err != nil {
			return err
		}
		h := v.w.Header()
		h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
		h.Set("Content-Length", strconv.Itoa(len(file)))
		v.send(http.StatusOK, "application/octet-stream", file)
		return nil
	}
}
