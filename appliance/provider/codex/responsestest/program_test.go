package responsestest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProgramIsTheNamedOneOrTheInstalledOne(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("PROMPT64_CODEX", "")
	if path, err := Find("1.2.3"); path != "" || err != nil {
		t.Errorf("in an empty cache there is %q, %v", path, err)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(user, "prompt64", "codex-1.2.3", "codex")
	if err := os.MkdirAll(filepath.Dir(installed), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(installed, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := Find("1.2.3"); path != installed || err != nil {
		t.Errorf("%q, %v", path, err)
	}
	if path, err := Find("1.2.4"); path != "" || err != nil {
		t.Errorf("another version is %q, %v", path, err)
	}
	t.Setenv("PROMPT64_CODEX", installed)
	if path, err := Find("1.2.4"); path != installed || err != nil {
		t.Errorf("the named one is %q, %v", path, err)
	}
	t.Setenv("PROMPT64_CODEX", "/no/such/codex")
	if _, err := Find("1.2.3"); err == nil || !strings.Contains(err.Error(), "PROMPT64_CODEX") {
		t.Errorf("a wrong name: %v", err)
	}
}

func TestHomeLeadsToTheFakeAndNowhereElse(t *testing.T) {
	s := New()
	defer s.Close()
	home, env := s.Home(t)
	raw, err := os.ReadFile(filepath.Join(home, "config.toml"))
	if err != nil || !strings.Contains(string(raw), `base_url = "`+s.URL+`"`) {
		t.Errorf("%s, %v", raw, err)
	}
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); name == "TMPDIR" && strings.HasPrefix(home, value) {
			t.Errorf("%s is beneath TMPDIR, which Codex refuses", home)
		}
	}
}
