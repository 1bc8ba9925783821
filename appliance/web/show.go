package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed templates/*.html static/*
var files embed.FS

// frame is what every page shows around its own part.
type frame struct {
	Title    string
	Name     string // of the device
	Here     string // path of the page
	Pages    []page // of the navigation
	SignedIn bool
	Closed   bool     // the settings are lost
	Troubles []string // of the settings
	Notice   string
	Token    string
	Page     any
}

// parseTemplates makes each page of the frame, the parts and its own file. They
// are part of the program, so a fault in one is ours.
func parseTemplates() map[string]*template.Template {
	base := template.Must(template.New("frame").Funcs(template.FuncMap{
		"icon": icon, "prefix": strings.HasPrefix,
	}).ParseFS(files, "templates/_*.html"))
	names, _ := files.ReadDir("templates") // in the program itself
	out := map[string]*template.Template{}
	for _, f := range names {
		name, _ := strings.CutSuffix(f.Name(), ".html")
		if !strings.HasPrefix(name, "_") {
			out[name] = template.Must(template.Must(base.Clone()).ParseFS(files, "templates/"+f.Name()))
		}
	}
	return out
}

// show answers with a page: templates/NAME.html, which finds data as .Page. A
// page that cannot be made is an error, and nothing of it was sent.
func (v *visit) show(status int, name, title string, data any) error {
	return v.showPart(status, name, "frame", v.frame(title, data))
}

// showPart answers with a part of a page, which data-live puts into it.
func (v *visit) showPart(status int, name, part string, data any) error {
	var body bytes.Buffer
	if err := v.site.templates[name].ExecuteTemplate(&body, part, data); err != nil {
		return fmt.Errorf("page %s: %w", name, err)
	}
	v.send(status, "text/html; charset=utf-8", body.Bytes())
	return nil
}

// send answers with body. Its length is told, so that no browser takes a half of it
// for the whole.
func (v *visit) send(status int, kind string, body []byte) {
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(body)
	}
}

func (v *visit) frame(title string, data any) frame {
	f := frame{
		Title:    title,
		Name:     v.site.Settings.Settings().Hostname,
		Here:     v.r.URL.Path,
		SignedIn: v.session != nil,
		Closed:   v.site.mode() == closed,
		Notice:   v.session.takeNotice(),
		Token:    v.token(),
		Page:     data,
	}
	if f.SignedIn || f.Closed || v.site.mode() == fresh {
		f.Troubles = v.site.Settings.State().Problems
	}
	if f.SignedIn {
		f.Pages = slices.DeleteFunc(pages(), func(p page) bool { return p.label == "" })
	}
	return f
}

// Beneath reports whether the visitor is on a page or beneath it.
func (f frame) Beneath(p page) bool {
	if p.path == "/" {
		return f.Here == "/"
	}
	return f.Here == p.path || strings.HasPrefix(f.Here, p.path+"/")
}

// Path is where the page is.
func (p page) Path() string { return p.path }

// Label is its name in the navigation.
func (p page) Label() string { return p.label }

// Icon names its picture.
func (p page) Icon() string { return p.icon }

// Aside says that it is behind More on a phone.
func (p page) Aside() bool { return p.aside }

// static answers with a file of the program.
func static(name string) func(*visit) error {
	return func(v *visit) error {
		http.ServeFileFS(v.w, v.r, files, path.Join("static", name))
		return nil
	}
}
