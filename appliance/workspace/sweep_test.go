package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestBoxesOfAKilledBridgeAreSwept(t *testing.T) {
	g := newGround(t)
	temp := t.TempDir()
	g.write(g.outside+"/kept", "x")
	old, young, other, link := filepath.Join(temp, boxPrefix+"1"), filepath.Join(temp, boxPrefix+"2"), filepath.Join(temp, "other"), filepath.Join(temp, boxPrefix+"3")
	g.write(old+"/tree/f", "x")
	g.write(young+"/tree/f", "x")
	g.write(other+"/f", "x")
	g.link(g.outside, link)
	then := time.Now().Add(-2 * boxAge)
	for _, dir := range []string{old, other, g.outside} {
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
	}
	root, err := OpenRoot(g.dir, WithTemp(temp))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := os.Lstat(old); err == nil {
		t.Error("the old box is still there")
	}
	for _, name := range []string{young, other, link, g.outside + "/kept"} {
		if _, err := os.Lstat(name); err != nil {
			t.Errorf("%s was swept too", filepath.Base(name))
		}
	}
}
