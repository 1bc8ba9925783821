package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// ErrDigest says that a server sent another file than the one that was asked for.
var ErrDigest = errors.New("the file is not the expected one")

// Fetcher downloads files into a folder. Only Dir must be set.
type Fetcher struct {
	Dir      string // exists; holds what is unfinished
	Client   *http.Client
	Tries    int
	Stall    time.Duration // how long a server may be silent
	Limit    int64         // bytes that a file may have
	Progress func(done, total int64)
	// Room is asked once the size of what is still to come is known.
	Room func(bytes int64) error
	// Again hears of a failure that is tried again after a pause.
	Again func(err error, pause time.Duration)
	// Wait pauses between tries; tests replace it.
	Wait func(context.Context, time.Duration) error
}

// Fetch returns the path of the file with the digest, beneath Dir. It is
// Remove's to delete, once it is used.
func (f *Fetcher) Fetch(ctx context.Context, address string, want Digest) (string, error) {
	if err := checkAddress(address); err != nil {
		return "", fmt.Errorf("fetch: %w", err)
	}
	p := part{dir: f.Dir, digest: want}
	file, err := p.open()
	if err != nil {
		return "", fmt.Errorf("fetch: %w", err)
	}
	defer file.Close()
	g := &get{Fetcher: f, address: address, part: p, file: file}
	if err := g.run(ctx); err != nil {
		return "", fmt.Errorf("fetch %s: %w", redacted(address), err)
	}
	return p.path(), nil
}

// Remove deletes what Fetch keeps for a digest, finished or not.
func (f *Fetcher) Remove(d Digest) error { return part{dir: f.Dir, digest: d}.remove() }

func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return errors.New("the address must start with https:// or http:// and name a host")
	}
	return nil
}

// redacted is an address without what may be secret: a password, or the
// signature that a query may be.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the address"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}

// get is one file being fetched, over several tries.
type get struct {
	*Fetcher
	address string
	part    part
	file    *os.File
}

// run tries until the file is whole or nothing more is to be hoped for.
func (g *get) run(ctx context.Context) error {
	if g.finished() { // by an earlier call that was ended before its file was used
		return nil
	}
	pause := firstPause
	for failures := 0; ; {
		got, whole, err := g.attempt(ctx)
		if err == nil {
			if err = g.verify(whole); err == nil {
				return nil
			}
		}
		var final finalError
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("%w; the same command goes on from %d bytes", context.Cause(ctx), g.have())
		case errors.As(err, &final):
			return final.err
		}
		if got >= progressStep {
			failures, pause = 0, firstPause
		}
		if failures++; failures >= g.tries() {
			return fmt.Errorf("%w (%d tries; the same command goes on from %d bytes)", err, failures, g.have())
		}
		if g.Again != nil {
			g.Again(err, pause)
		}
		if g.wait(ctx, pause) != nil {
			continue // ctx has ended: said above
		}
		pause = min(2*pause, longestPause)
	}
}

// verify compares the digest. Pieces that do not fit are dropped, to try the
// whole once more.
func (g *get) verify(whole bool) error {
	sum, n, err := g.sum()
	if err != nil {
		return finalError{err}
	}
	if sum == g.part.digest {
		return nil
	}
	err = fmt.Errorf("%w: its SHA-256 is %s, not %s (%d bytes)", ErrDigest, sum, g.part.digest, n)
	if dropErr := g.drop(); dropErr != nil {
		return finalError{dropErr}
	}
	if whole {
		return finalError{err}
	}
	return err
}

// finished reports whether the kept file has the digest already.
func (g *get) finished() bool {
	if g.have() == 0 {
		return false
	}
	sum, _, err := g.sum()
	return err == nil && sum == g.part.digest
}

// finalError ends all tries.
type finalError struct{ err error }

func (f finalError) Error() string { return f.err.Error() }

func (f finalError) Unwrap() error { return f.err }

func (g *get) tries() int {
	if g.Tries > 0 {
		return g.Tries
	}
	return defaultTries
}

func (g *get) wait(ctx context.Context, d time.Duration) error {
	if g.Wait != nil {
		return g.Wait(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
