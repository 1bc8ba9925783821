package demo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// command asks for, and runs, one command in the workspace. No shell reads it.
func (t *turn) command(args string) error {
	argv, err := splitArgs(args)
	if err != nil || len(argv) == 0 || argv[0] == "" {
		return errUsage
	}
	line := joinArgs(argv)
	end, err := t.activity(line)
	if err != nil {
		return err
	}
	words, ok, err := t.permitAndRun(argv, line)
	end(ok)
	if err != nil {
		return err
	}
	return t.sayWords(words)
}

// permitAndRun does the work of command; words say what came of it.
func (t *turn) permitAndRun(argv []string, line string) (words string, ok bool, err error) {
	v, err := t.permit(frames.KindCommand, "Run "+line, commandDetail(argv, t.s.spec.Workspace))
	switch {
	case err != nil:
		return "", false, err
	case v == refused:
		return "I may not run `" + line + "`: access is read only.", false, nil
	case v == declined:
		return "You declined, so I did not run `" + line + "`.", false, nil
	}
	return t.execute(argv)
}

// commandDetail shows the whole command and where it runs. Where an argument is
// not plain, each one has a line of its own as well.
func commandDetail(argv []string, workspace string) []provider.DetailLine {
	lines := []provider.DetailLine{{Kind: frames.LineContext, Text: joinArgs(argv)}}
	meta := func(text string) {
		lines = append(lines, provider.DetailLine{Kind: frames.LineMetadata, Text: text})
	}
	quoted := false
	for _, arg := range argv {
		quoted = quoted || quoteArg(arg) != arg
	}
	if quoted {
		for i, arg := range argv {
			meta(fmt.Sprintf("argument %d: %s", i, quoteArg(arg)))
		}
	}
	meta("in " + quoteArg(workspace) + ", without a shell")
	return lines
}

// execute runs a command and streams what it prints as a block of code; words
// say how it ended, and ok that it exited with 0. The error is the turn's end.
func (t *turn) execute(argv []string) (words string, ok bool, err error) {
	out := &output{say: t.say}
	state, runErr := runCommand(t.ctx, t.s.p.cfg.User, t.s.spec.Workspace, argv, out.write)
	if provider.IsFault(runErr) {
		return "", false, runErr
	}
	if err := t.ctx.Err(); err != nil {
		return "", false, err
	}
	if err := out.close(); err != nil {
		return "", false, err
	}
	if runErr != nil {
		return "It could not be run: " + startError(runErr, t.s.spec.Workspace) + ".", false, nil
	}
	if out.more > 0 {
		words = fmt.Sprintf("%d more bytes are not shown. ", out.more)
	}
	return words + exitWords(state), state.Success(), nil
}

// startError says why a command did not start.
func startError(err error, workspace string) string {
	var execErr *exec.Error
	if errors.As(err, &execErr) && errors.Is(err, exec.ErrNotFound) {
		return fmt.Sprintf("there is no program %q on this machine", execErr.Name)
	}
	if gone := checkFolder(workspace); errors.Is(gone, errFolderGone) {
		err = gone // the system says the same of a missing program
	}
	return plainError(err)
}

// exitWords says how a command ended.
func exitWords(state *os.ProcessState) string {
	if code := state.ExitCode(); code >= 0 {
		return fmt.Sprintf("Exit code %d.", code)
	}
	return "It was ended by a signal: " + state.String() + "."
}
