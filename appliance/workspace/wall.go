package workspace

import (
	"context"
	"sync"
)

// wall remembers whether git runs behind the kernel's wall: its libraries may
// lie where nobody expects them, and then it has to do without. The box alone
// keeps git from the repository; the wall is there for what changes in the
// moment between a check and git's reading.
type wall struct {
	mu    sync.Mutex
	known bool
	works bool
}

// try says whether to confine git, by starting it once.
func (w *wall) try(ctx context.Context, b *box) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known {
		return w.works
	}
	probe := *b
	probe.confine = true
	_, err := probe.run(ctx, nil, "version")
	if ctx.Err() != nil {
		return false
	}
	w.known, w.works = true, err == nil
	return w.works
}
