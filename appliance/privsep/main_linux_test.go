package privsep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// nobody is a user that has nothing on any machine.
const nobody = 65534

// open makes the user in a folder that everybody can enter, as a test's own is not.
func open(t *testing.T, o Options) (u *User, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	dir, err := os.MkdirTemp("", "privsep-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	o.ID, o.Home = nobody, filepath.Join(dir, "home")
	u, err = Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := u.Close(); err != nil {
			t.Error(err)
		}
	})
	return u, dir
}

// secret makes a file that only root may read.
func secret(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
}
