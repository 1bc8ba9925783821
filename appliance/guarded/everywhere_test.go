package guarded

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// houses are the folders whose goroutines must not end the program, from here. guard is
// none: it shares nothing with the bridge, gokrazy starts it again, and a fault of its
// own that it took for the bridge's would cost the bridge.
var houses = []string{"../../appliance", "../../frames", "../../cmd/prompt64"}

// exceptions are folders, from the module's, with a reason each.
var exceptions = map[string]string{
	"appliance/guarded":             "it is what starts them",
	"appliance/wifi/internal/hwsim": "a program for tests",
	"appliance/leaks":               "for tests alone",
}

// bare are calls that start a goroutine, or have a library's call us, with no guard.
var bare = map[string]string{
	"time.AfterFunc":    "guarded.AfterFunc",
	"context.AfterFunc": "guarded.AfterDone",
}

// A fault in any goroutine of the bridge reaches its owner.
func TestEveryGoroutineIsStartedSoThatItsFaultsReachItsOwner(t *testing.T) {
	files := 0
	for _, house := range houses {
		err := filepath.WalkDir(house, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			inModule := strings.TrimPrefix(filepath.ToSlash(path), "../../")
			if d.IsDir() {
				if _, excepted := exceptions[inModule]; excepted || strings.HasSuffix(inModule, "test") {
					return fs.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			files++
			found, err := unguarded(path, nil)
			for _, words := range found {
				t.Error(strings.TrimPrefix(words, "../../"))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 {
		t.Errorf("only %d files were looked at", files)
	}
}

// unguarded finds what starts goroutines in a file by other means than this package's.
func unguarded(path string, source any) (found []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	tell := func(n ast.Node, what, instead string) {
		found = append(found, fmt.Sprintf("%s: %s: a panic there would end the program; use %s", set.Position(n.Pos()), what, instead))
	}
	for _, i := range file.Imports {
		if strings.HasSuffix(i.Path.Value, `/errgroup"`) {
			tell(i, "errgroup", "guarded.In")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			tell(n, "a go statement", "guarded.Go")
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "RegisterOnShutdown" && !mentionsGuard(n) {
				tell(n, s.Sel.Name, "guarded.Run in it")
			}
		case *ast.SelectorExpr: // also where it is only named, to be called later
			from, _ := n.X.(*ast.Ident)
			switch {
			case n.Sel.Name == "Go" && (from == nil || from.Name != "guarded"):
				tell(n, "a method Go", "guarded.In")
			case from != nil && bare[from.Name+"."+n.Sel.Name] != "":
				tell(n, from.Name+"."+n.Sel.Name, bare[from.Name+"."+n.Sel.Name])
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if s, ok := left.(*ast.SelectorExpr); ok && (s.Sel.Name == "Stdout" || s.Sel.Name == "Stderr") && copied(n, i) {
					tell(n, "output of a program, which a goroutine of os/exec writes", "guarded.Writer")
				}
			}
		}
		return true
	})
	return found, nil
}

// harmless are outputs that are files, which os/exec gives to the program as they are,
// or the pipe of the standard library; both is a guarded.Writer.
var harmless = []string{"w", "write", "both", "outW", "errW", "pipes"}

// copied reports whether the output that is assigned is written by our own code.
func copied(n *ast.AssignStmt, i int) bool {
	if len(n.Rhs) != len(n.Lhs) {
		return true
	}
	value := n.Rhs[i]
	for {
		index, ok := value.(*ast.IndexExpr)
		if !ok {
			break
		}
		value = index.X
	}
	if at, ok := value.(*ast.UnaryExpr); ok && at.Op == token.AND {
		_, plain := at.X.(*ast.Ident) // a bytes.Buffer
		return !plain
	}
	if name, ok := value.(*ast.Ident); ok {
		return !slices.Contains(harmless, name.Name)
	}
	return !mentionsGuard(n.Rhs[i])
}

func mentionsGuard(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "guarded"
		return true
	})
	return found
}

// The look itself sees each way there is.
func TestBareGoroutinesAreFound(t *testing.T) {
	for body, n := range map[string]int{
		"go func() {}()": 1, "go f()": 1, "all.Go(f)": 1, "a.all.Go(f)": 1, "start := all.Go; start(f)": 1,
		"time.AfterFunc(0, f)": 1, "defer context.AfterFunc(ctx, f)()": 1, "server.RegisterOnShutdown(f)": 1,
		"cmd.Stdout = noise": 1, "cmd.Stdout, cmd.Stderr = noise, both": 1, "func() { go f() }()": 1,
		`guarded.Go("x", f, nil)`: 0, `guarded.In(&all, "x", f, nil)`: 0, `guarded.AfterFunc(0, "x", f, nil)`: 0,
		"server.RegisterOnShutdown(func() { guarded.Run(f) })": 0, `cmd.Stderr = guarded.Writer("x", noise)`: 0,
		"cmd.Stdin, cmd.Stdout = pipes[0][0], pipes[1][1]": 0,
	} {
		found, err := unguarded("x.go", "package x\nfunc y() {\n"+body+"\n}\n")
		if err != nil || len(found) != n {
			t.Errorf("%s: %q, %v", body, found, err)
		}
	}
	if found, err := unguarded("x.go", `package x; import "golang.org/x/sync/errgroup"`); err != nil || len(found) != 1 {
		t.Errorf("errgroup: %q, %v", found, err)
	}
}
