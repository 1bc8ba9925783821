package web_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider/demo"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// house is a whole bridge with the demo agent, and its pages.
type house struct {
	url, bridge string
	folder      string // of the workspaces
	store       *config.Store
	leases      *lease.Table
	agents      *fakeAgents
	site        *web.Site
}

// newHouse starts one that nobody has set up; changes are of its workspaces.
func newHouse(t *testing.T, changes ...func(*folders.Options)) *house {
	t.Helper()
	dir := t.TempDir()
	h := &house{folder: filepath.Join(dir, "workspaces"), agents: &fakeAgents{entered: make(chan struct{})}}
	if err := os.Mkdir(h.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	h.store = config.Open(config.Options{Dir: filepath.Join(dir, "data"), Providers: []string{"demo", "codex", "acp:opencode"}})
	agent, err := demo.New(demo.Config{DataDir: dir, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	root, err := workspace.OpenRoot(h.folder, workspace.WithTimeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	h.leases = lease.NewTable(lease.Config{Provider: agent, Workspaces: lease.FromRoot(root)})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := errors.Join(h.leases.Close(ctx), agent.Close(), root.Close()); err != nil {
			t.Error(err)
		}
	})
	h.startBridge(t)
	h.startPages(t, changes)
	return h
}

// startBridge serves C64s, and follows the settings as to who may come in.
func (h *house) startBridge(t *testing.T) {
	t.Helper()
	pairing := bridge.NewPairing("", nil)
	server := bridge.New(bridge.Config{Leases: h.leases, Pairing: pairing})
	l := listenLocal(t)
	h.bridge = l.Addr().String()
	changes, cancel := h.store.Subscribe()
	var all sync.WaitGroup
	all.Go(func() {
		for s := range changes {
			pairing.SetCode(s.Pairing.Code.Reveal())
		}
	})
	ctx, stop := context.WithCancel(context.Background())
	all.Go(func() { _ = server.Serve(ctx, l) })
	t.Cleanup(func() {
		cancel()
		stop()
		last, done := context.WithTimeout(context.Background(), patience)
		defer done()
		if err := server.Shutdown(last); err != nil {
			t.Error(err)
		}
		all.Wait()
	})
}

func (h *house) startPages(t *testing.T, changes []func(*folders.Options)) {
	t.Helper()
	options := folders.Options{InUse: h.inUse}
	for _, change := range changes {
		change(&options)
	}
	keeper, err := folders.Open(h.folder, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keeper.Close() })
	h.site = web.New(web.Config{
		Settings:      h.store,
		State:         h.state,
		Program:       func(p web.Program) ([]byte, error) { return []byte("PRG " + p.Host + p.Code), nil },
		Port:          6464,
		Tree:          h.tree,
		Workspaces:    keeper,
		Agents:        h.agents,
		Wifi:          fakeWifi{},
		Ports:         func() []string { return []string{"/dev/ttyUSB0"} },
		Ultimates:     &fakeUltimates{},
		Conversations: h.leases,
		Damage:        func() string { return "the card's data partition (/perm) is damaged: the system found 3 errors in it" },
		Erase:         func() error { return errors.New("nothing is erased here") },
	})
	l := listenLocal(t)
	h.url = "http://" + l.Addr().String()
	serveOn(t, h.site, l)
}

// inUse reports whether a C64 works in a folder.
func (h *house) inUse(name string) bool {
	for _, l := range h.leases.Snapshot() {
		if l.Workspace == name {
			return true
		}
	}
	return false
}

func listenLocal(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (h *house) state() web.State {
	s := web.State{Provider: "demo 1.0"}
	for _, l := range h.leases.Snapshot() {
		if l.Attached {
			s.Attached++
		} else {
			s.Detached++
		}
	}
	return s
}

// tree is how a device in a living room does.
func (h *house) tree(context.Context) health.Report {
	return health.Report{Nodes: []health.Node{
		{ID: "power", Name: "Power", State: health.OK, Detail: "5.1 V, never too low"},
		{ID: "data", Name: "Data", State: health.OK, Detail: "27 GB free", Needs: []string{"power"}},
		{ID: "settings", Name: "Settings", State: health.OK, Detail: "ok", Needs: []string{"data"}},
		{ID: "wifi", Name: "Wi-Fi", State: health.OK, Detail: "Home, 192.168.1.64, signal good", Needs: []string{"settings"}},
		{ID: "network", Name: "Network", State: health.OK, Detail: "192.168.1.64", Needs: []string{"wifi"}},
		{ID: "clock", Name: "Clock", State: health.Warn, Detail: "not set yet", Hint: "Wait a minute: it is asked for over the internet.", Needs: []string{"network"}},
		{ID: "agent", Name: "Agent", State: health.OK, Detail: "demo", Needs: []string{"network"}},
		{ID: "serial", Name: "Serial line", State: health.Off, Detail: "not set up"},
		{ID: "bridge", Name: "Bridge", State: health.OK, Detail: "port 6464", Needs: []string{"network"}},
		{ID: "c64", Name: "C64", State: health.Unknown, Detail: "none has come yet", Needs: []string{"bridge"}},
	}}
}

// fakeAgents are three agents, of which one wants a sign-in.
type fakeAgents struct {
	mu      sync.Mutex
	key     string
	signed  bool
	entered chan struct{} // closed when somebody entered the code
	fail    error
}

func (f *fakeAgents) List(context.Context) []web.Agent {
	f.mu.Lock()
	defer f.mu.Unlock()
	codex := web.Agent{Name: "codex", Title: "Codex", About: "OpenAI's agent. It needs an account or an API key.", Installed: "0.171.0", CanInstall: true, CanSignIn: true, Account: "nobody is signed in"}
	if f.signed {
		codex.SignedIn, codex.Account = true, "someone@example.com plus"
	}
	return []web.Agent{
		{Name: "demo", Title: "Demo", About: "A small scripted agent that works offline and needs no account."},
		codex,
		{Name: "acp:opencode", Title: "opencode", About: "An open agent for models of many makers.", Trouble: "The program opencode is not there. This device cannot install it: choose another agent."},
	}
}

func (f *fakeAgents) Install(ctx context.Context, _ string, tell func(string, int)) error {
	tell("downloading", 40)
	<-ctx.Done()
	return context.Cause(ctx)
}

func (f *fakeAgents) SignIn(ctx context.Context, _ string, show func(url, code string)) error {
	show("https://auth.example.com/device", "ABCD-EFGHI")
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.entered:
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.signed = f.fail == nil
	return f.fail
}

func (f *fakeAgents) SignInWithKey(_ context.Context, _ string, key config.Secret) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return f.fail
	}
	f.key, f.signed = key.Reveal(), true
	return nil
}

// fakeWifi is a radio in a house with neighbours.
type fakeWifi struct{}

func (fakeWifi) Line() (string, string) {
	return "Home, 192.168.1.64, signal good", "wrong password for Neighbours: enter it again"
}

func (fakeWifi) Scan(context.Context) ([]web.WifiNetwork, error) {
	return []web.WifiNetwork{
		{SSID: "Home", Signal: "strong", Locked: true},
		{SSID: "Café & Bar <open>", Signal: "weak"},
		{SSID: "Office", Signal: "good", Locked: true, Why: "it speaks WPA3 only, which this device cannot"},
	}, nil
}

// fakeUltimates are one that is ready and one that is not.
type fakeUltimates struct {
	mu   sync.Mutex
	ran  string
	prg  []byte
	fail error
}

func (f *fakeUltimates) Find(context.Context) ([]web.Ultimate, error) {
	return []web.Ultimate{
		{Address: "192.168.1.70", Product: "Ultimate 64 3.12", Name: "u64", CanRun: true, Own: "192.168.1.64"},
		{Address: "192.168.1.71", Product: "Ultimate II+ 3.11", Name: "u2p", CanOn: true, Own: "192.168.1.64",
			Trouble: "The command interface is off, so the C64 cannot reach the network. Switch it on here."},
	}, f.fail
}

func (f *fakeUltimates) Enable(_ context.Context, address string, _ config.Secret) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ran = "enable " + address
	return f.fail
}

func (f *fakeUltimates) Run(_ context.Context, address string, secret config.Secret, prg []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ran, f.prg = "run "+address+" "+secret.Reveal(), prg
	return f.fail
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}
