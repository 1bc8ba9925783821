package web

import (
	"errors"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
)

// field is one input of a form, as templates/_field.html draws it: with its
// label, its hint and what is wrong with it.
type field struct {
	Name, Label string
	Type        string // of the input: text, password, url; select, lines or check
	Value       string
	Hint        string
	Error       string
	Auto        string   // what the browser may fill in; empty: nothing
	Options     []option // of a select
	Required    bool
	Max         int // characters; 0: no limit
	ID          string
}

// option is one choice of a select.
type option struct{ Value, Label string }

// Ident is the field's id on the page.
func (f field) Ident() string {
	if f.ID != "" {
		return f.ID
	}
	return f.Name
}

// DescribedBy names what explains the field, for screen readers.
func (f field) DescribedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.Ident()+"-hint")
	}
	if f.Error != "" {
		ids = append(ids, f.Ident()+"-error")
	}
	return strings.Join(ids, " ")
}

// Lines are the rows of a text that has several.
func (f field) Lines() int { return max(3, strings.Count(f.Value, "\n")+2) }

// form is fields with what is wrong about all of them.
type form struct {
	Fields []*field
	Error  string
}

// field returns the field of a name.
func (f *form) field(name string) *field {
	for _, one := range f.Fields {
		if one.Name == name {
			return one
		}
	}
	return nil
}

// fill puts what the visitor wrote into the fields, secrets aside.
func (f *form) fill(v *visit) {
	for _, one := range f.Fields {
		if one.Type != "password" {
			one.Value = v.value(one.Name)
		}
	}
}

// wrong puts an error beside its field, or above the form where it has none.
// names says which field of the form shows which field of the settings; one that
// ends with [ stands for every entry of a list.
func (f *form) wrong(err error, names map[string]string) {
	invalid, ok := errors.AsType[config.Invalid](err)
	if !ok {
		f.Error = sentence(err.Error())
		return
	}
	for _, one := range invalid {
		if at := f.field(nameOf(one.Field, names)); at != nil {
			at.Error = sentence(one.Allowed)
			if at.Type == "lines" {
				at.Error = strings.Trim(one.Value, `"`) + ": " + one.Allowed + "."
			}
			continue
		}
		f.Error = sentence(one.Error())
	}
}

func nameOf(setting string, names map[string]string) string {
	if name, ok := names[setting]; ok {
		return name
	}
	for prefix, name := range names {
		if strings.HasSuffix(prefix, "[") && strings.HasPrefix(setting, prefix) {
			return name
		}
	}
	return ""
}

// sentence makes words of an error: a capital letter and a full stop.
func sentence(words string) string {
	words = strings.TrimPrefix(words, "save settings: ")
	if words == "" {
		return ""
	}
	words = strings.ToUpper(words[:1]) + words[1:]
	if !strings.HasSuffix(words, ".") {
		words += "."
	}
	return words
}
