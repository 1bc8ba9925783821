package web

import (
	"context"
	"errors"
	"net/http"

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
		return setupNow{Words: err.Error()}
	case len(list) == 0:
		return setupNow{Words: "none yet", Todo: "Make a workspace: a folder in which the agent works."}
	case len(list) == 1:
		return setupNow{Words: list[0].Name, Done: true}
	}
	return setupNow{Words: list[0].Name + " and others", Done: true}
}

// workspacesData is what templates/workspaces.html shows.
type workspacesData struct {
	List  []folders.Folder
	Error string
	New   *form
	Clone *form
	Job   *jobView
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
	keeper := v.site.Workspaces
	if keeper == nil {
		return fault{http.StatusNotFound, "Workspaces are not kept by these pages here.", nil}
	}
	var err error
	if data.List, err = keeper.List(); err != nil {
		data.Error = sentence(err.Error())
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

// about puts an error of the workspaces beside its field.
func (f *form) about(err error) {
	for name, errs := range map[string][]error{
		"name": {folders.ErrName, folders.ErrTaken}, "url": {folders.ErrAddress}, "secret": {folders.ErrToken},
	} {
		for _, one := range errs {
			if at := f.field(name); at != nil && errors.Is(err, one) {
				at.Error = sentence(one.Error())
				return
			}
		}
	}
	f.Error = sentence(err.Error())
}

func makeWorkspace(v *visit) error {
	f := newForm()
	f.fill(v)
	if v.site.Workspaces == nil {
		return v.showWorkspaces(http.StatusNotFound, workspacesData{})
	}
	if err := v.site.Workspaces.Make(v.value("name")); err != nil {
		f.about(err)
		return v.showWorkspaces(http.StatusUnprocessableEntity, workspacesData{New: f})
	}
	return v.goTo("/setup/workspaces", "The workspace is there.")
}

func cloneWorkspace(v *visit) error {
	f := cloneForm()
	f.fill(v)
	keeper := v.site.Workspaces
	if keeper == nil {
		return v.showWorkspaces(http.StatusNotFound, workspacesData{})
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
		f.about(err)
		return v.showWorkspaces(http.StatusUnprocessableEntity, workspacesData{Clone: f})
	}
	return v.goTo("/setup/workspaces", "")
}

func (v *visit) showDelete(status int, name, wrong string) error {
	return v.show(status, "workspacedelete", "Delete a workspace", map[string]string{"Name": name, "Error": wrong})
}

func deleteWorkspace(v *visit) error {
	if v.site.Workspaces == nil {
		return v.showWorkspaces(http.StatusNotFound, workspacesData{})
	}
	name := v.r.PostFormValue("name")
	if err := v.site.Workspaces.Delete(name); err != nil {
		return v.showDelete(http.StatusConflict, name, sentence(err.Error()))
	}
	return v.goTo("/setup/workspaces", "The workspace is deleted.")
}
