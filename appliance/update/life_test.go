package update_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/updatetest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// rootSize is that of the roots here: several writes to a slot.
const rootSize = 300 << 10

// maker signs the bundles of these tests.
var maker = func() (k struct {
	bundle.Key
	private minisign.PrivateKey
}) {
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	k.Key, k.private = bundle.Key{Name: "maker", Public: public}, private
	return k
}()

// life is a device over several starts. Use it in a bubble of synctest.
type life struct {
	t      *testing.T
	d      *updatetest.Device
	sick   atomic.Pointer[string] // why the services do not do well
	busy   atomic.Pointer[string]
	guard  atomic.Pointer[string]       // what guard would know of a trial's end
	killIn atomic.Pointer[update.Phase] // the program dies once, when it has recorded that
	// replaceIn is when its service is once ended and served again.
	replaceIn atomic.Pointer[update.Phase]
	pets      atomic.Int64
	now       atomic.Pointer[process]
	stop      context.CancelFunc
	served    chan struct{}
	why       []string // the reasons of all restarts
}

func newLife(t *testing.T) *life {
	return &life{t: t, d: updatetest.New(updatetest.NewRoot("v1.0.0", rootSize))}
}

// updater is the one of the running program.
func (l *life) updater() *update.Updater { return l.now.Load().u }

// begin powers the device on.
func (l *life) begin() {
	l.t.Helper()
	if !l.d.Start() {
		l.t.Fatal("the device does not start any more")
	}
	var ctx context.Context
	ctx, l.stop = context.WithCancel(context.Background())
	l.served = make(chan struct{})
	l.now.Store(l.newProcess(ctx))
	go l.run(ctx)
}

// process is one run of the program.
type process struct {
	update.System
	u    *update.Updater
	ctx  context.Context
	kill context.CancelFunc
	end  atomic.Pointer[context.CancelFunc] // of the service alone
	life *life
}

func (l *life) newProcess(ctx context.Context) *process {
	p := &process{System: l.d, life: l}
	p.ctx, p.kill = context.WithCancel(ctx)
	p.u = update.New(update.Config{
		System: p,
		Keys:   func() ([]bundle.Key, error) { return []bundle.Key{maker.Key}, nil },
		Health: func(context.Context) error {
			if why := l.sick.Load(); why != nil {
				return errors.New(*why)
			}
			if l.d.Trait("sick") {
				return errors.New("the bridge does not answer")
			}
			return nil
		},
		Busy: func() string {
			if b := l.busy.Load(); b != nil {
				return *b
			}
			return ""
		},
		WentBack: func() string {
			if g := l.guard.Load(); g != nil {
				return *g
			}
			return ""
		},
		Pet: func(context.Context) time.Duration { l.pets.Add(1); return time.Minute },
	})
	return p
}

// SaveRecord is where the program may die.
func (p *process) SaveRecord(data []byte) error {
	err := p.System.SaveRecord(data)
	if phase := p.life.killIn.Load(); phase != nil && bytes.Contains(data, []byte(`"phase": "`+string(*phase)+`"`)) {
		p.life.killIn.Store(nil)
		p.kill()
	}
	if phase := p.life.replaceIn.Load(); phase != nil && bytes.Contains(data, []byte(`"phase": "`+string(*phase)+`"`)) {
		p.life.replaceIn.Store(nil)
		(*p.end.Load())()
	}
	return err
}

// WriteSlot does nothing for the dead.
func (p *process) WriteSlot(s update.Slot) (update.SlotWriter, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	return p.System.WriteSlot(s)
}

// WriteBootFile does nothing for the dead.
func (p *process) WriteBootFile(name string, root update.Slot, try bool) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return p.System.WriteBootFile(name, root, try)
}

// Reboot does nothing for the dead.
func (p *process) Reboot(why string) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return p.System.Reboot(why)
}

// run is the device's program, started again when it dies, and guard, until the
// power is gone.
func (l *life) run(ctx context.Context) {
	defer close(l.served)
	began := time.Now()
	ended := make(chan struct{})
	running, stop := context.WithCancel(ctx)
	defer func() { stop(); <-ended }()
	go func() {
		defer close(ended)
		for running.Err() == nil && !l.d.Trait("crash") {
			p := l.now.Load()
			for p.ctx.Err() == nil {
				ctx, end := context.WithCancel(p.ctx)
				p.end.Store(&end)
				_ = p.u.Serve(ctx)
				end()
				pause(p.ctx, time.Second)
			}
			if pause(running, time.Second) {
				l.now.Store(l.newProcess(running))
			}
		}
	}()
	for pause(ctx, time.Second) {
		if l.d.InTrial() && time.Since(began) > update.TrialTime {
			_ = l.d.Reboot("guard: the trial was not committed in time")
		}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// end takes the power away.
func (l *life) end() {
	l.d.Pull()
	l.stop()
	<-l.served
}

// restart waits until the device wants to start again, or was cut, and starts it. It
// reports false if neither happens within ten minutes.
func (l *life) restart() bool {
	l.t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		select {
		case why := <-l.d.Restarts():
			l.why = append(l.why, why)
		default:
			if !l.d.Dead() {
				continue
			}
		}
		l.end()
		l.begin()
		return true
	}
	return false
}

// settle starts the device as often as it wants to.
func (l *life) settle() {
	l.t.Helper()
	for n := 0; l.restart(); n++ {
		if n == 10 {
			l.t.Fatal("the device starts again and again")
		}
	}
}

// bundles are those that were made, since packing them is most of the work.
var bundles sync.Map

// bundleOf makes a bundle for the device.
func (l *life) bundleOf(version string, root []byte, changes ...func(*bundle.Manifest)) []byte {
	l.t.Helper()
	m := bundle.Manifest{
		Version: version, Minimum: "v1.0.0", Board: l.d.About.Board, Arch: l.d.About.Arch,
		Kernel: bundle.Kernel{Release: l.d.About.Release, SHA256: l.d.About.Kernel}, Guard: l.d.About.Guard,
	}
	for _, change := range changes {
		change(&m)
	}
	var out bytes.Buffer
	id := fmt.Sprint(m, sha256.Sum256(root))
	if data, ok := bundles.Load(id); ok {
		return data.([]byte)
	}
	if err := bundle.Write(&out, m, bytes.NewReader(root), maker.private); err != nil {
		l.t.Fatal(err)
	}
	bundles.Store(id, out.Bytes())
	return out.Bytes()
}

// send uploads a bundle.
func (l *life) send(data []byte, consent ...update.Consent) error {
	var c update.Consent
	if len(consent) > 0 {
		c = consent[0]
	}
	for { // until the start is reconciled
		err := l.updater().Receive(context.Background(), bytes.NewReader(data), int64(len(data)), c)
		if !errors.Is(err, update.ErrNotReady) || l.d.Dead() {
			return err
		}
		time.Sleep(time.Second)
	}
}

// upgrade sends a version and lets the device do as it likes.
func (l *life) upgrade(version string, traits ...string) {
	l.t.Helper()
	if err := l.send(l.bundleOf(version, updatetest.NewRoot(version, rootSize, traits...))); err != nil {
		l.t.Fatal(err)
	}
	l.settle()
}

// expect tells what runs and how the last update ended.
func (l *life) expect(version string, phase update.Phase, outcome update.Outcome) update.State {
	l.t.Helper()
	s := l.updater().State()
	if got := l.d.Version(); got != version || l.d.InTrial() {
		l.t.Errorf("%s runs, in a trial: %v; want %s", got, l.d.InTrial(), version)
	}
	if s.Phase != phase || s.Last == nil || s.Last.Outcome != outcome {
		l.t.Errorf("the state is %+v, last %+v; want %s, %s", s, s.Last, phase, outcome)
	}
	files, err := l.d.BootFiles()
	if err != nil {
		l.t.Fatal(err)
	}
	running, _ := l.d.Running()
	for _, f := range files {
		if f.Root != running || f.Try || f.Was {
			l.t.Errorf("%s says %+v, partition %d runs", f.Name, f, running)
		}
	}
	if l.d.Spooled() {
		l.t.Error("the bundle still lies around")
	}
	return s
}
