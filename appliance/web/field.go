package web

import (
	"slices"
	"strings"
	"unicode/utf8"
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
	Exact       bool // spaces around the value are a part of it
	Max         int  // characters; 0: no limit
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
		switch {
		case one.Type == "password":
			continue
		case one.Exact:
			one.Value = v.r.PostFormValue(one.Name)
		default:
			one.Value = v.value(one.Name)
		}
		one.offer(one.Value)
	}
}

// offer makes a value one of a select's choices: the browser would show another in the
// place of one that it does not find, such as an adapter that was unplugged.
func (f *field) offer(value string) {
	if f.Type == "select" && !slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == value }) {
		f.Options = append(f.Options, option{value, value})
	}
}

// sentence makes words of an error: a capital letter and a full stop.
func sentence(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return ""
	}
	words = strings.ToUpper(string(first)) + words[size:]
	if !strings.HasSuffix(words, ".") {
		words += "."
	}
	return words
}
