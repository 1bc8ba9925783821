package wifi

import (
	"context"
	"time"
)

// Pauses of a reset, for the hardware.
const (
	downTime   = time.Second
	unloadTime = 2 * time.Second
)

// suspect adds up what speaks against the radio itself. When it is enough the
// radio is switched off and on, and the next time its driver is loaded anew: the
// firmware of some boards stops answering for good
// (github.com/raspberrypi/linux, issue 3849).
func (k *keeper) suspect(ctx context.Context, f *Failure) {
	k.doubt += f.suspicion()
	if k.doubt < suspectLimit {
		return
	}
	k.doubt = 0
	if k.deep || k.iface.Index == 0 {
		k.reload(ctx)
	} else {
		k.toggle(ctx)
	}
	k.deep = !k.deep
}

// trust ends all doubt.
func (k *keeper) trust() {
	k.doubt, k.deep = 0, false
	k.pause.reset()
}

func (k *keeper) toggle(ctx context.Context) {
	k.cfg.Log.Warn("wifi: the radio is switched off and on", "interface", k.iface.Name)
	for _, up := range []bool{false, true} {
		err := order(ctx, func(ctx context.Context) error { return k.cfg.Radio.SetUp(ctx, k.iface, up) })
		if err != nil {
			k.cfg.Log.Warn("wifi: the radio cannot be switched", "on", up, "error", err)
		}
		k.sleep(ctx, downTime)
	}
}

func (k *keeper) reload(ctx context.Context) {
	k.cfg.Log.Warn("wifi: the radio's driver is loaded anew")
	if err := k.cfg.Host.UnloadDriver(ctx); err != nil {
		k.cfg.Log.Warn("wifi: the driver cannot be unloaded", "error", err)
	}
	k.sleep(ctx, unloadTime)
	if err := k.cfg.Host.LoadDriver(ctx); err != nil {
		k.cfg.Log.Warn("wifi: the driver cannot be loaded", "error", err)
	}
	k.use(Interface{})
}

// sleep waits for d whatever happens, except for the end.
func (k *keeper) sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
