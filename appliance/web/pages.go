package web

import (
	"bytes"
	"html/template"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/d64"
)

// pages serves the pages.
type pages struct {
	Config
	page *template.Template
}

func (p *pages) index(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if err := p.page.Execute(&body, p.State()); err != nil {
		p.Log.Error("page cannot be made", "err", err)
		http.Error(w, "the page cannot be made; the log says why", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(body.Bytes())
}

func (p *pages) style(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "page.css")
}

// program hands out the PRG.
func (p *pages) program(w http.ResponseWriter, r *http.Request) {
	p.download(w, r, "prompt64.prg", func(prg []byte) ([]byte, error) { return prg, nil })
}

// disk hands out the same PRG on a disk image.
func (p *pages) disk(w http.ResponseWriter, r *http.Request) {
	p.download(w, r, "prompt64.d64", d64.Prompt64)
}

// download hands out the PRG, in a shape, with the address that the browser
// used: it is the one address of this machine that is known to work in the
// browser's network.
func (p *pages) download(w http.ResponseWriter, r *http.Request, name string, shape func(prg []byte) ([]byte, error)) {
	host := hostOf(r.Host)
	if err := c64prg.CheckHost(host); err != nil {
		http.Error(w, "A C64 cannot dial the address of this page: "+err.Error()+
			". Open the page by the bridge's name or IPv4 address.", http.StatusBadRequest)
		return
	}
	file, err := p.Program(host)
	if err == nil {
		file, err = shape(file)
	}
	if err != nil {
		p.Log.Error("program cannot be made", "file", name, "err", err)
		http.Error(w, "the program cannot be made; the log says why", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Length", strconv.Itoa(len(file)))
	_, _ = w.Write(file)
}

// hostOf takes the port and an IPv6 address's brackets from a Host header.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

func (p *pages) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if p.Health != nil {
		if err := p.Health(); err != nil {
			p.Log.Warn("not healthy", "err", err)
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte("not healthy\n"))
			return
		}
	}
	_, _ = w.Write([]byte("ok\n"))
}
