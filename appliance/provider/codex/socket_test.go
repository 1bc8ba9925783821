package codex

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
)

// socketStage is a provider that reaches a pretending server over a WebSocket.
func socketStage(t *testing.T, token string) (*stage, error) {
	t.Helper()
	st := &stage{t: t, Server: &codextest.Server{Home: t.TempDir()}}
	web := httptest.NewServer(codextest.Socket(st.Server, "open sesame"))
	t.Cleanup(func() { web.Close(); st.Wait() })
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if st.p, err = New(Config{URL: "ws" + strings.TrimPrefix(web.URL, "http"), BearerFile: file}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.p.Close() })
	// The workspace is the other machine's.
	st.s, err = st.p.Open(t.Context(), provider.Spec{Workspace: "/srv/not/here"})
	return st, err
}

func TestWebSocketCarriesATurn(t *testing.T) {
	st, err := socketStage(t, "open sesame")
	if err != nil {
		t.Fatal(err)
	}
	if got := saying(st.play("[[fill 100]]")); got != codextest.Fill(100) {
		t.Errorf("%d bytes arrived", len(got))
	}
}

func TestWrongTokenIsToldInWords(t *testing.T) {
	if _, err := socketStage(t, "abracadabra"); err == nil || !strings.Contains(err.Error(), "check the bearer file") {
		t.Errorf("Open: %v", err)
	}
}

func TestLostWebSocketFailsTheTurn(t *testing.T) {
	st, err := socketStage(t, "open sesame")
	if err != nil {
		t.Fatal(err)
	}
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	st.Drop()
	if end := endOf(st.finish()); end.End != provider.EndFailed || !strings.Contains(end.Reason, "the connection to codex") {
		t.Errorf("the end is %+v", end)
	}
}

func TestNobodyAtTheAddressIsToldInWords(t *testing.T) {
	web := httptest.NewServer(nil)
	url := "ws" + strings.TrimPrefix(web.URL, "http")
	web.Close()
	p, err := New(Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Open(t.Context(), provider.Spec{Workspace: "/srv"}); err == nil || !strings.Contains(err.Error(), "is codex app-server --listen running there?") {
		t.Errorf("Open: %v", err)
	}
}
