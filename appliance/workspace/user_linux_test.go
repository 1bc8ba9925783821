package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
)

// lowlyRoot is a root whose user has nothing else on any machine, and a folder in it
// with a repository of that user.
func lowlyRoot(t *testing.T) (*Root, string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	dir, err := os.MkdirTemp("", "workspace-user-") // others cannot enter a test's own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	root := filepath.Join(dir, "root")
	if err := errors.Join(os.Chmod(dir, 0o755), os.MkdirAll(filepath.Join(root, "r"), 0o700)); err != nil {
		t.Fatal(err)
	}
	u, err := privsep.Open(privsep.Options{ID: 65534, Home: filepath.Join(dir, "home")})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Own(root); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "git init -q . && echo one >f && git add f && git -c user.name=a -c user.email=a@b commit -qm one && echo two >f && chmod 600 f && git gc -q")
	cmd.Dir = filepath.Join(root, "r")
	if err := u.Run(cmd); err != nil {
		t.Fatal(err)
	}
	inspector := u.Inspector()
	temp, err := inspector.PrivateFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	r, err := OpenRoot(root, WithUser(inspector), WithTemp(temp), WithTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r, dir
}

func TestReviewIsMadeWithTheUsersRights(t *testing.T) {
	r, _ := lowlyRoot(t)
	f, err := r.Resolve("r")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	c, err := r.Changes(ctx, f)
	if err != nil || len(c.Rows) != 1 || c.Rows[0].Path != "f" {
		t.Fatalf("%+v, %v", c, err)
	}
	if lines, err := c.Diff(ctx, 0); err != nil || len(lines) == 0 {
		t.Errorf("%v, %v", lines, err)
	}
	if s, err := r.Summary(ctx, f); err != nil || s.Files != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What root could read and the user cannot is not shown, wherever it lies.
func TestFolderThatTheUserCannotReadIsNotShown(t *testing.T) {
	r, dir := lowlyRoot(t)
	locked := filepath.Join(dir, "root", "locked")
	if err := os.MkdirAll(filepath.Join(locked, "within"), 0o700); err != nil {
		t.Fatal(err)
	}
	if list, err := r.List("locked"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := r.List(""); err != nil || len(list) != 2 {
		t.Errorf("what lies beside it: %v, %v", list, err)
	}
}
