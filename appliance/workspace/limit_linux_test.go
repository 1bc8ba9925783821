package workspace

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestMemoryOfGitIsBounded(t *testing.T) {
	limit := strconv.Itoa(memoryLimit)
	b := &box{dir: t.TempDir(), program: fakeGit(t, "until grep -q 'data size *"+limit+"' /proc/self/limits; do sleep 0.01; done")}
	if err := os.Mkdir(b.tree(), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if _, err := b.run(ctx, nil, "x"); err != nil {
		t.Fatalf("the limit is not set: %v", err)
	}
}
