package wifi

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// Settings is where a Manager hears of networks; a config.Store is one.
type Settings interface {
	Subscribe() (changes <-chan config.Settings, cancel func())
}

var _ Settings = (*config.Store)(nil)

// Config is what a Manager is made of.
type Config struct {
	Radio    Radio
	Host     Host
	Settings Settings
	Log      *slog.Logger   // nil: none
	Random   func() float64 // from 0 to below 1, for pauses; nil: the usual one
	// Pet is called within every Deadline while Serve does well, and within the
	// time that it returns while nothing is asked of the radio; nil: nobody wants
	// to know.
	Pet func(context.Context) time.Duration
}

// Manager keeps the device in one of its owner's networks while Serve runs.
type Manager struct {
	cfg   Config
	scans chan scanRequest

	mu     sync.Mutex
	status Status
}

// New makes a Manager.
func New(cfg Config) *Manager {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	if cfg.Pet == nil {
		cfg.Pet = func(context.Context) time.Duration { return Deadline }
	}
	return &Manager{cfg: cfg, scans: make(chan scanRequest)}
}

// String names the service.
func (m *Manager) String() string { return "wifi" }

// Serve works until ctx is done; then the network is left.
func (m *Manager) Serve(ctx context.Context) error {
	changes, cancel := m.cfg.Settings.Subscribe()
	defer cancel()
	k := &keeper{Manager: m, changes: changes}
	defer k.end()
	k.run(ctx)
	m.set(func(s *Status) { s.offline(Starting) })
	return ctx.Err()
}

type scanRequest struct {
	ctx   context.Context
	reply chan<- scanReply // has room for the reply
}

type scanReply struct {
	found []Found
	err   error
}

// errBusy is what a Scan gets that nobody answers in time.
var errBusy = errors.New("scan: the Wi-Fi is busy")

// scanPatience is how long a Scan waits for its turn and its end.
const scanPatience = joinTime + addressTime + scanTime

// Scan looks for networks. It waits while one is being joined.
func (m *Manager) Scan(ctx context.Context) ([]Found, error) {
	patient, cancel := context.WithTimeout(ctx, scanPatience)
	defer cancel()
	reply := make(chan scanReply, 1)
	select {
	case m.scans <- scanRequest{patient, reply}:
	case <-patient.Done():
		return nil, outOfPatience(patient)
	}
	select {
	case r := <-reply:
		return r.found, r.err
	case <-patient.Done():
		return nil, outOfPatience(patient)
	}
}

func outOfPatience(ctx context.Context) error {
	if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return errBusy
}

// jitter varies a pause, so that devices that lost the same router do not come
// back all at once.
func (m *Manager) jitter(d time.Duration) time.Duration {
	part := float64(d) / jitterPart
	return d + time.Duration(part*(2*m.cfg.Random()-1))
}
