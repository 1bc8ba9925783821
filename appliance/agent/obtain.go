package agent

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

// archive is an opened archive whose digest fits.
type archive struct {
	*os.File
	digest fetch.Digest
	size   int64
}

// obtain opens the archive, fetched or local, and checks its digest before
// anyone looks into it.
func (in *Installer) obtain(ctx context.Context, f folder, p plan) (*archive, error) {
	name := p.from
	if isAddress(p.from) {
		var err error
		if name, err = in.download(ctx, f, p); err != nil {
			return nil, err
		}
	}
	in.Progress(Progress{Stage: Checking})
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	a := &archive{File: file}
	if a.digest, a.size, err = fetch.Sum(file); err == nil && !slices.Contains(p.digests, a.digest) {
		err = fmt.Errorf("%w: the SHA-256 of %s is %s, not %s", fetch.ErrDigest, name, a.digest, words(p.digests))
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return a, nil
}

func isAddress(from string) bool {
	return strings.HasPrefix(from, "https://") || strings.HasPrefix(from, "http://")
}

func words(digests []fetch.Digest) string {
	var all []string
	for _, d := range digests {
		all = append(all, d.String())
	}
	return strings.Join(all, " or ")
}

func (in *Installer) download(ctx context.Context, f folder, p plan) (string, error) {
	in.Progress(Progress{Stage: Downloading, Total: p.bytes})
	fetcher := in.fetch
	fetcher.Dir, fetcher.Client = f.path(downloadDir), in.Client
	fetcher.Progress = func(done, total int64) {
		in.Progress(Progress{Stage: Downloading, Done: done, Total: total})
	}
	fetcher.Again = func(err error, pause time.Duration) {
		in.Progress(Progress{Stage: Downloading, Detail: fmt.Sprintf("again in %v: %v", pause, err)})
	}
	fetcher.Room = func(n int64) error { return in.room(f, n+p.room(n)) }
	return fetcher.Fetch(ctx, p.from, p.digests[0])
}

// room guesses how much the files need, where the table does not tell: a
// compressed program is about a third of itself.
func (p plan) room(archive int64) int64 {
	if p.unpacked > 0 {
		return p.unpacked
	}
	return 3 * archive
}
