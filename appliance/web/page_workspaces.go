package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
)

// workspacesPart is the folders that the agent works in.
func workspacesPart() setupPart {
	return setupPart{"/setup/workspaces", "Workspaces", "folder", workspacesNow, []route{
		{"GET /setup/workspaces", signedIn, func(v *visit) error { return v.showWorkspaces(http.StatusOK, workspacesData{}) }},
		{"POST /setup/workspaces/new", signedIn, makeWorkspace},
		{"POST /setup/workspaces/clone", signedIn, cloneWorkspace},
		{"GET /setup/workspaces/delete", signedIn, func(v *visit) error {
			return v.showDelete(http.StatusOK, v.r.URL.Query().Get("name"), "")
		}},
		{"POST /setup/workspaces/delete", signedIn, deleteWorkspace},
	}}
}

func workspacesNow(s *Site) setupNow {
	if s.Workspaces == nil {
		return setupNow{Words: "not kept by these pages"}
	}
	list, err := s.Workspaces.List()
	switch {
	case err != nil:
		return setupNow{Words: "they cannot be read now"}
	case len(list) == 0:
		return setupNow{Words: "none yet", Todo: "Make a workspace: a folder in which the agent works."}
	case len(list) == 1:
		return setupNow{Words: list[0].Name, Done: true}
	}
	return setupNow{Words: list[0].Name + " and others", Done: true}
}

// workspacesData is what templates/workspaces.html shows.
type workspacesData struct {
	List   []folders.Folder
	Unread bool // the list could not be read
	Error  string
	New    *form
	Clone  *form
	Job    *jobView
}

func newForm() *form {
	return &form{Fields: []*field{{Name: "name", Label: "Name", Type: "text", Required: true, Max: 60, ID: "new-name"}}}
}

func cloneForm() *form {
	return &form{Fields: []*field{
		{Name: "url", Label: "Address of the repository", Type: "url", Required: true, Max: 500, Hint: "It begins with https://"},
		{Name: "name", Label: "Name", Type: "text", Max: 60, ID: "clone-name", Hint: "Empty: as the repository is called."},
		{Name: "secret", Label: "Token", Type: "password", Max: 500, Hint: "For a private repository only. It is used once and not kept."},
		{Name: "whole", Label: "With its whole history, which takes longer", Type: "check"},
	}}
}

func (v *visit) showWorkspaces(status int, data workspacesData) error {
	if v.site.Workspaces == nil {
		return noWorkspaces
	}
	list, err := v.site.Workspaces.List()
	if data.List = list; err != nil {
		words, worse := v.told(diskFault("The workspaces cannot be read", err), 0)
		data.Unread, data.Error = true, strings.TrimSpace(data.Error+" "+words)
		status = max(status, worse)
	}
	if data.New == nil {
		data.New = newForm()
	}
	if data.Clone == nil {
		data.Clone = cloneForm()
	}
	data.Job = v.job("clone")
	return v.show(status, "workspaces", "Workspaces", data)
}

var noWorkspaces = fault{http.StatusNotFound, "Workspaces are not kept by these pages here.", nil}

// diskFault is what could not be done with a workspace, and why: behind the name that
// the error has for it.
func diskFault(what string, err error) fault {
	why := err.Error()
	why = strings.TrimSpace(why[strings.Index(why, ": ")+1:])
	return fault{http.StatusInternalServerError, what + ": " + why + ". Home shows how the disk does: mend that first.", err}
}

// about puts an error of the workspaces beside its field, or above the form where it
// has none, and returns the status of the page that shows it.
func (f *form) about(v *visit, err error) (status int) {
	for name, errs := range map[string][]error{
		"name": {folders.ErrName, folders.ErrTaken}, "url": {folders.ErrAddress}, "secret": {folders.ErrToken},
	} {
		for _, one := range errs {
			if at := f.field(name); at != nil && errors.Is(err, one) {
				at.Error = sentence(one.Error())
				return http.StatusUnprocessableEntity
			}
		}
	}
	if errors.Is(err, folders.ErrBusy) {
		f.Error = sentence(err.Error())
		return http.StatusConflict
	}
	f.Error, status = v.told(diskFault("The workspace could not be made", err), 0)
	return status
}

func makeWorkspace(v *visit) error {
	f := newForm()
	f.fill(v)
	if v.site.Workspaces == nil {
		return noWorkspaces
	}
	if err := v.site.Workspaces.Make(v.value("name")); err != nil {
		return v.showWorkspaces(f.about(v, err), workspacesData{New: f})
	}
	return v.goTo("/setup/workspaces", "The workspace is there.")
}

func cloneWorkspace(v *visit) error {
	f := cloneForm()
	f.fill(v)
	keeper := v.site.Workspaces
	if keeper == nil {
		return noWorkspaces
	}
	from := folders.Source{URL: v.value("url"), Token: config.NewSecret(v.value("secret")), Whole: v.value("whole") != ""}
	name := v.value("name")
	err := from.Check()
	if err == nil {
		if name == "" {
			name = from.Name()
		}
		err = folders.CheckName(name)
	}
	if err == nil && !v.site.jobs.start("clone", "Cloning "+name, func(ctx context.Context, j *job) error {
		return keeper.Clone(ctx, from, name, func(p folders.Progress) { j.tell(p.Stage, p.Percent) })
	}) {
		err = folders.ErrBusy
	}
	if err != nil {
		return v.showWorkspaces(f.about(v, err), workspacesData{Clone: f})
	}
	return v.goTo("/setup/workspaces", "")
}

// showDelete asks first, since nothing brings a workspace back. For one that is not
// there it shows those that are.
func (v *visit) showDelete(status int, name, wrong string) error {
	if v.site.Workspaces == nil {
		return noWorkspaces
	}
	list, err := v.site.Workspaces.List()
	switch {
	case slices.ContainsFunc(list, func(f folders.Folder) bool { return f.Name == name }):
		return v.show(status, "workspacedelete", "Delete a workspace", map[string]string{"Name": name, "Error": wrong})
	case err == nil && wrong == "":
		status, wrong = http.StatusNotFound, sentence(folders.ErrMissing.Error())
	}
	return v.showWorkspaces(status, workspacesData{Error: wrong})
}

func deleteWorkspace(v *visit) error {
	if v.site.Workspaces == nil {
		return noWorkspaces
	}
	name := v.r.PostFormValue("name")
	err := v.site.Workspaces.Delete(name)
	switch {
	case err == nil:
		return v.goTo("/setup/workspaces", "The workspace is deleted.")
	case errors.Is(err, folders.ErrMissing):
		return v.showDelete(http.StatusNotFound, name, sentence(err.Error()))
	case errors.Is(err, folders.ErrInUse):
		return v.showDelete(http.StatusConflict, name, sentence(err.Error()))
	}
	words, status := v.told(diskFault("The workspace could not be deleted", err), 0)
	return v.showDelete(status, name, words)
}
