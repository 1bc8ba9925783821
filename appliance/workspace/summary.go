package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Summary is what the status of a workspace says about its repository.
type Summary struct {
	Repo    bool   // false: the folder lies in no repository, the rest is empty
	Branch  string // in words when it is more than a name: detached, merging
	Files   int
	Added   int
	Deleted int
	Cut     bool // there is more than was counted
}

// Summary tells the branch and the totals of a folder's repository. A folder
// outside a repository is no error. With an error the branch may still be known.
func (r *Root) Summary(ctx context.Context, folder Folder) (Summary, error) {
	return as(r, func() (Summary, error) { return r.summary(ctx, folder) })
}

func (r *Root) summary(ctx context.Context, folder Folder) (Summary, error) {
	repo, h, err := r.look(folder)
	if errors.Is(err, ErrNoRepository) {
		return Summary{}, nil
	}
	if err != nil {
		return Summary{Repo: repo != nil}, err
	}
	s := Summary{Repo: true, Branch: r.branch(repo, h)}
	c, err := r.changes(ctx, folder, repo, h)
	if err != nil {
		return s, err
	}
	s.Files, s.Cut = len(c.Rows), c.Cut
	for _, row := range c.Rows {
		s.Added += row.Added
		s.Deleted += row.Deleted
	}
	return s, nil
}

// objectError puts git's complaint about an object that is not there in words.
func objectError(err error) error {
	said := err.Error()
	for _, sign := range []string{"unable to read", "bad object", "bad tree", "could not", "missing"} {
		if strings.Contains(said, sign) {
			return fmt.Errorf("git objects missing: %w", ErrDamaged)
		}
	}
	return err
}
