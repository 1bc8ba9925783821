package web

import (
	"net/http"
	"strconv"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/d64"
)

// c64Page hands out the C64's program.
func c64Page() page {
	return page{path: "/c64", label: "C64", icon: "c64", routes: []route{
		{"GET /c64", signedIn, showC64},
		{"GET /prompt64.prg", anyone, download("prompt64.prg", func(prg []byte) ([]byte, error) { return prg, nil })},
		{"GET /prompt64.d64", anyone, download("prompt64.d64", d64.Prompt64)},
	}}
}

// c64Data is what templates/c64.html shows.
type c64Data struct {
	Program
	Port     uint16
	HostFine bool
	Why      string // the host is not fine
	Serial   int    // speed of the serial line; 0: there is none
}

func showC64(v *visit) error {
	data := c64Data{Program: v.program(), Port: v.site.Port, Serial: v.serial()}
	if err := c64prg.CheckHost(data.Host); err != nil {
		data.Why = err.Error()
	} else {
		data.HostFine = true
	}
	return v.show(http.StatusOK, "c64", "C64", data)
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

// download hands out the program in a shape.
func download(name string, shape func(prg []byte) ([]byte, error)) func(*visit) error {
	return func(v *visit) error {
		p := v.program()
		if v.r.URL.Query().Get("link") == "serial" {
			p.Baud = v.serial()
		}
		if err := c64prg.CheckHost(p.Host); err != nil && p.Baud == 0 {
			return fault{http.StatusBadRequest, "A C64 cannot dial the address of this page: " + err.Error() +
				". Open the page by the bridge's name or IPv4 address.", nil}
		}
		file, err := v.site.Program(p)
		if err == nil {
			file, err = shape(file)
		}
		if err != nil {
			return fault{http.StatusInternalServerError, "The program cannot be made; the log says why.", err}
		}
		h := v.w.Header()
		h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
		h.Set("Content-Length", strconv.Itoa(len(file)))
		v.send(http.StatusOK, "application/octet-stream", file)
		return nil
	}
}
