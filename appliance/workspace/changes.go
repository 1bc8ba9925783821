package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Change is a row of CHANGES: one file that differs from the last commit, what
// is staged and what is not taken together.
type Change struct {
	State   byte // M, A, D, R, U (unmerged) or ? (untracked)
	Added   int
	Deleted int
	Binary  bool   // no lines: binary, too large, or a repository of its own
	Path    string // relative to the top of the repository
	OldPath string // of a renamed file

	nested bool // a repository of its own, not a submodule
	large  bool // too large to compare
}

// Changes is a snapshot; its rows keep their indexes.
type Changes struct {
	Rows []Change
	Cut  bool // there are more, which were not counted

	r      *Root
	folder Folder
	repo   *repository
	base   string // commit or tree that the rows compare with
}

// renames: no more than this many files are compared for similarity.
const renames = "-l400"

// Changes compares the repository that holds folder with its last commit, or
// with nothing before the first one.
func (r *Root) Changes(ctx context.Context, folder Folder) (*Changes, error) {
	return as(r, func() (*Changes, error) {
		repo, h, err := r.look(folder)
		if err != nil {
			return nil, err
		}
		return r.changes(ctx, folder, repo, h)
	})
}

// look finds the repository of a folder and its HEAD.
func (r *Root) look(folder Folder) (*repository, head, error) {
	at, err := r.folder(folder.Rel)
	if err != nil {
		return nil, head{}, named(folder.Rel, err)
	}
	repo, err := r.repository(at)
	if err != nil {
		return nil, head{}, err
	}
	if _, err := r.fs.Lstat(path.Join(repo.common, "reftable")); err == nil {
		return repo, head{}, fmt.Errorf("git reftable: %w", ErrUnsupported)
	}
	h, err := r.head(repo)
	return repo, h, err
}

func (r *Root) changes(ctx context.Context, folder Folder, repo *repository, h head) (*Changes, error) {
	c := &Changes{r: r, folder: folder, repo: repo, base: h.commit}
	err := r.inspect(ctx, repo, func(ctx context.Context, b *box, set settings) error {
		return c.collect(ctx, b, set)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// inspect runs one inspection in a box, within the time that it may take once
// its turn has come.
func (r *Root) inspect(parent context.Context, repo *repository, do func(context.Context, *box, settings) error) error {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-parent.Done():
		return parent.Err()
	}
	ctx, stop := context.WithTimeoutCause(parent, r.timeout, ErrTimeout)
	defer stop()
	b, err := r.newBox()
	if err != nil {
		return err
	}
	defer b.close()
	b.confine = r.wall.try(ctx, b)
	set, err := r.settings(ctx, b, repo)
	if err == nil {
		err = do(ctx, b, set)
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (c *Changes) collect(ctx context.Context, b *box, set settings) error {
	if c.base == "" {
		c.base = set.emptyTree()
	}
	x, written, err := c.r.fill(ctx, b, c.repo, set)
	if err != nil {
		return err
	}
	g := newStage(b, set)
	s := &scan{r: c.r, repo: c.repo, set: set, index: x, written: written, stage: g}
	if err := s.run(ctx); err != nil {
		return err
	}
	if err := g.apply(ctx); err != nil {
		return err
	}
	out, err := b.run(ctx, nil, "diff-index", "--cached", "--raw", "--numstat", "-z", "-M", renames,
		"--no-ext-diff", "--no-textconv", "--no-color", "--full-index", c.base, "--")
	if err != nil && !errors.Is(err, errCeiling) {
		return objectError(err)
	}
	rows := parseRows(out)
	c.Cut = s.cut || errors.Is(err, errCeiling)
	rows = addLarge(rows, g.large)
	rows = addUnmerged(rows, x)
	c.Rows = append(rows, s.untracked...)
	slices.SortStableFunc(c.Rows, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return nil
}
