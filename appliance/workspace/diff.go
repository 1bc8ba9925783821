package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/prompt64/prompt64/frames"
)

// Line is a line of a diff, without the sign that its kind stands for.
type Line struct {
	Kind frames.LineKind
	Text string
}

// Diff gives the difference of row i in unified hunks with one line of context,
// as the file is now, against the commit of the snapshot. What cannot be shown
// is said in a metadata line.
func (c *Changes) Diff(ctx context.Context, i int) ([]Line, error) {
	if i < 0 || i >= len(c.Rows) {
		return nil, ErrNoRow
	}
	row := c.Rows[i]
	switch {
	case row.nested:
		return say("a git repository of its own"), nil
	case row.large:
		return say("too large to show"), nil
	}
	return as(c.r, func() (lines []Line, err error) {
		err = c.r.inspect(ctx, c.repo, func(ctx context.Context, b *box, set settings) (err error) {
			lines, err = c.diff(ctx, b, set, row)
			return err
		})
		return lines, err
	})
}

func say(format string, args ...any) []Line {
	return []Line{{frames.LineMetadata, fmt.Sprintf(format, args...)}}
}

func (c *Changes) diff(ctx context.Context, b *box, set settings, row Change) ([]Line, error) {
	x, written, err := c.r.fill(ctx, b, c.repo, set)
	if err != nil {
		return nil, err
	}
	g := newStage(b, set)
	s := &scan{r: c.r, repo: c.repo, set: set, index: x, written: written, stage: g}
	there, err := s.one(ctx, row.Path)
	if err != nil {
		return nil, err
	}
	if !there && row.State != 'D' && row.State != 'U' {
		return say("the file is gone"), nil
	}
	if row.OldPath != "" {
		if _, err := s.one(ctx, row.OldPath); err != nil {
			return nil, err
		}
	}
	if g.large[row.Path] {
		return say("too large to show"), nil
	}
	if err := g.apply(ctx); err != nil {
		return nil, err
	}
	args := []string{"diff-index", "--cached", "-p", "-U1", "-M", renames, "--no-ext-diff", "--no-textconv",
		"--no-color", "--no-prefix", "--submodule=short", "--full-index", c.base, "--", row.Path}
	if row.OldPath != "" {
		args = append(args, row.OldPath)
	}
	out, err := b.run(ctx, nil, args...)
	if err != nil && !errors.Is(err, errCeiling) {
		return nil, objectError(err)
	}
	lines := parseDiff(out, row)
	if err != nil {
		lines = append(lines, say("cut after %d KiB", outputCeiling/1024)...)
	}
	if len(lines) == 0 {
		return say("no difference any more"), nil
	}
	return lines, nil
}

// one looks at a single path, and says whether a file or submodule is there. A
// path that leads through a link is not: git tracks nothing behind links.
func (s *scan) one(ctx context.Context, p string) (bool, error) {
	entries := at(s.index.entries, p)
	var entry *indexEntry
	if len(entries) > 0 {
		entry = &entries[0]
	}
	full := path.Join(s.repo.top, p)
	parent, err := s.r.real(path.Dir(full))
	if err == nil && orDot(parent) == path.Dir(full) {
		info, err := s.r.fs.Lstat(full)
		switch {
		case err != nil:
		case info.IsDir() && entry != nil && entry.mode&modeType == modeModule:
			s.module(p, entry.id)
			return true, nil
		case trackable(info.Mode()):
			if entry != nil && (entry.skip || entry.stage == 0 && s.clean(entry, info)) {
				return true, nil
			}
			return true, s.stage.take(ctx, s.r.fs, full, p, entry)
		}
	}
	if entry != nil && !entry.skip {
		s.stage.gone(p)
	}
	return false, nil
}
