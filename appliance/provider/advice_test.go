package provider_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
)

func TestAdviceForACommandLineNamesTheCommand(t *testing.T) {
	err := fmt.Errorf("open session: %w", &provider.Advice{Words: "Use the pages.", Shell: "Run: x", Err: fs.ErrNotExist})
	if got := provider.InShell(err); got.Error() != "Run: x (file does not exist)" || !errors.Is(got, fs.ErrNotExist) {
		t.Errorf("it is %v", got)
	}
	for _, err := range []error{nil, fs.ErrExist, &provider.Advice{Words: "Wait."}} {
		if got := provider.InShell(err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}

func TestAdviceIsFoundBehindOtherErrorsAndKeepsItsCause(t *testing.T) {
	err := fmt.Errorf("open session: %w", &provider.Advice{Words: "Install it.", Err: fs.ErrNotExist})
	advice, ok := errors.AsType[*provider.Advice](err)
	if !ok || advice.Words != "Install it." || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", advice, err)
	}
	if got := err.Error(); got != "open session: Install it. (file does not exist)" {
		t.Error(got)
	}
	if got := (&provider.Advice{Words: "Wait."}).Error(); got != "Wait." {
		t.Error(got)
	}
}
