// Package protocolinc turns the constants of package frames into an include file
// for the ca65 assembler, so that the C64 program and the bridge cannot disagree
// about a number. It reads the Go source, hence a constant that is added there is
// never forgotten here. It does not check that the result assembles: its test
// does.
package protocolinc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// Sources are the files of package frames that hold the constants.
var Sources = []string{"numbers.go", "limits.go"}

const head = `; Generated from frames/numbers.go and frames/limits.go by "go generate ./frames/...".
; Do not edit: a test fails when this file and the Go source differ.
;
; A text is a list of bytes, so that no character map changes it:
;     .byte GREETING          ; GREETING_LEN bytes, no terminator

.ifndef PROTOCOL_INC
PROTOCOL_INC = 1
`

// Generate returns the include file for the constants in dir, the folder of
// package frames.
func Generate(dir string) ([]byte, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range Sources {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("protocolinc: parse: %w", err)
		}
		files = append(files, f)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	if _, err := new(types.Config).Check("frames", fset, files, info); err != nil {
		return nil, fmt.Errorf("protocolinc: evaluate constants: %w", err)
	}
	var out bytes.Buffer
	out.WriteString(head)
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				group(&out, g, info)
			}
		}
	}
	out.WriteString("\n.endif\n")
	return out.Bytes(), nil
}

// group writes the exported constants of one declaration under its comment.
func group(out *bytes.Buffer, g *ast.GenDecl, info *types.Info) {
	var lines bytes.Buffer
	for _, s := range g.Specs {
		v := s.(*ast.ValueSpec)
		for _, name := range v.Names {
			if c, ok := info.Defs[name].(*types.Const); ok && name.IsExported() {
				line(&lines, c, strings.TrimSpace(v.Comment.Text()))
			}
		}
	}
	if lines.Len() == 0 {
		return
	}
	out.WriteByte('\n')
	for l := range strings.Lines(g.Doc.Text()) {
		out.WriteString("; " + l)
	}
	out.Write(lines.Bytes())
}

// line writes one constant, and after it what the Go source says about it.
func line(out *bytes.Buffer, c *types.Const, comment string) {
	name := Symbol(c)
	if comment != "" {
		comment = " ; " + comment
	}
	if c.Val().Kind() != constant.String {
		fmt.Fprintf(out, "%-28s = %s%s\n", name, number(c), comment)
		return
	}
	s := constant.StringVal(c.Val())
	var b []string
	for i := range len(s) {
		b = append(b, fmt.Sprintf("$%02X", s[i]))
	}
	fmt.Fprintf(out, "; %q%s\n", s, comment)
	fmt.Fprintf(out, ".define %s %s\n", name, strings.Join(b, ", "))
	fmt.Fprintf(out, "%-28s = %d\n", name+"_LEN", len(s))
}

// number writes masks and type bytes in hexadecimal, counts in decimal.
func number(c *types.Const) string {
	v, _ := constant.Int64Val(c.Val())
	n, named := c.Type().(*types.Named)
	if named && n.Obj().Name() == "Type" || v == 0xFF {
		return fmt.Sprintf("$%02X", v)
	}
	if named && n.Obj().Name() == "Capabilities" || v == 0xFFFF {
		return fmt.Sprintf("$%04X", v)
	}
	return fmt.Sprint(v)
}
