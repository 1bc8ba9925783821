package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

// Bounds of fetching the radios' firmware, 2 MB in all.
const (
	firmwareTime  = 3 * time.Minute  // for all files
	firmwareStall = 15 * time.Second // for a server that is silent, or that no packet reaches
	firmwareTries = 2
	firmwareLimit = 16 << 20        // bytes of a file; its digest says whether it is the listed one
	firmwareSign  = 5 * time.Second // between two signs of life
)

// radioGetter fetches the radios' firmware from where it is published into the cache.
// Who publishes it is not believed: the digest decides.
type radioGetter struct {
	Options
	fetcher fetch.Fetcher
	limit   time.Duration // for all files
}

func newRadioGetter(o Options) *radioGetter {
	g := &radioGetter{Options: o, limit: firmwareTime}
	g.fetcher = fetch.Fetcher{
		Dir: filepath.Join(o.Cache, "radio"), Client: o.Firmware.Client,
		Tries: firmwareTries, Stall: firmwareStall, Limit: firmwareLimit,
		Again: func(err error, pause time.Duration) { o.note("    again in %v: %v", pause, err) },
	}
	return g
}

// get returns the listed files' places in the cache. Where one is not to be had it
// asks for no further one, which would have no better luck, and says why. A file with
// another content than listed is an error.
func (g *radioGetter) get(ctx context.Context, list []radio) (have map[string]string, why string, err error) {
	if !strings.HasPrefix(g.Firmware.Address, "https://") {
		return nil, "", fmt.Errorf("radio firmware: %q is no https address", g.Firmware.Address)
	}
	if err := os.MkdirAll(g.fetcher.Dir, 0o755); err != nil {
		return nil, "", err
	}
	soon, cancel := context.WithTimeoutCause(ctx, g.limit, fmt.Errorf("it took longer than %v", g.limit))
	defer cancel()
	release, err := hold(soon, filepath.Join(g.fetcher.Dir, ".lock"))
	if err != nil {
		return nil, "", fmt.Errorf("radio firmware: another build is fetching it: %w", err)
	}
	defer release()
	have = map[string]string{}
	for _, want := range list {
		kept := filepath.Join(g.fetcher.Dir, want.digest.String())
		if sum, err := digestOf(kept); err != nil || sum != want.digest {
			if why != "" {
				continue
			}
			err := g.one(soon, want, kept)
			switch {
			case ctx.Err() != nil:
				return nil, "", context.Cause(ctx)
			case errors.Is(err, fetch.ErrDigest):
				return nil, "", fmt.Errorf("radio firmware: %w; %s has another version than image/build/firmware.tsv", err, g.Firmware.Address)
			case err != nil:
				why = fmt.Sprintf("the radio's firmware is missing: %v", err)
				continue
			}
		}
		have[want.installAs] = kept
	}
	return have, why, nil
}

// one fetches one file.
func (g *radioGetter) one(ctx context.Context, want radio, to string) error {
	name := path.Base(want.source)
	g.note("    fetching the radio firmware %s, %d bytes", name, want.bytes)
	shown := time.Now()
	g.fetcher.Progress = func(done, _ int64) {
		if time.Since(shown) >= firmwareSign {
			shown = time.Now()
			g.note("    %s: %d of %d bytes", name, done, want.bytes)
		}
	}
	at, err := g.fetcher.Fetch(ctx, g.Firmware.Address+"/"+want.source, want.digest)
	if err != nil {
		return err
	}
	if err := os.Rename(at, to); err != nil {
		return err
	}
	return g.fetcher.Remove(want.digest)
}

// hold has a folder's files to this process until release, or waits for them.
func hold(ctx context.Context, path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			_ = f.Close()
			return nil, errors.Join(context.Cause(ctx), err)
		}
	}
}
