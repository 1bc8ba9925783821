package acp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/prompt64/prompt64/appliance/provider"
)

// errEnded is the end of an agent that should not have ended.
type errEnded struct{ how string }

func (e errEnded) Error() string { return "the agent ended unexpectedly (" + e.how + ")" }

// errSignIn is an agent that wants its user to sign in.
var errSignIn = errors.New("sign-in needed")

// codeAuthRequired is the protocol's error for that.
const codeAuthRequired = -32000

// requestError makes words of an agent's error: its own, with what it says about
// the cause where the message alone says nothing.
func requestError(err error) error {
	var e *sdk.RequestError
	if !errors.As(err, &e) {
		return err
	}
	words := e.Message
	if detail := errorDetail(e.Data); detail != "" && !strings.Contains(words, detail) {
		if words == "" || strings.EqualFold(words, "internal error") {
			words = detail
		} else {
			words += ": " + detail
		}
	}
	if words == "" {
		words = fmt.Sprintf("error %d", e.Code)
	}
	if e.Code == codeAuthRequired {
		return fmt.Errorf("%w: %s", errSignIn, words)
	}
	return errors.New(words)
}

// errorDetail finds the words in an error's data; agents put them in different
// places.
func errorDetail(data any) string {
	switch d := data.(type) {
	case string:
		return d
	case map[string]any:
		for _, key := range []string{"message", "details", "error", "reason"} {
			if words := errorDetail(d[key]); words != "" {
				return words
			}
		}
	}
	return ""
}

// startWords say why a command did not start, and what to do.
func (c *Config) startWords(err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		if c.preset.install != "" {
			return &provider.Advice{
				Words: c.command() + " is not installed. Choose another on the pages: Set-up, Agent. Or: " + c.preset.install,
				Shell: c.command() + " is not installed here: " + c.preset.install, Err: err,
			}
		}
		return fmt.Errorf("there is no program %s here: check the agent's command", c.command())
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be run: check its permissions", c.command())
	}
	return fmt.Errorf("start %s: %w", c.command(), err)
}

// signInWords say how to sign in, by what the agent offers.
func (c *Config) signInWords(methods []authMethod, err error) error {
	var ways []string
	for _, m := range methods {
		way := m.Description
		if way == "" {
			way = m.Name
		}
		if way = foldLine(way); way != "" {
			ways = append(ways, way)
		}
	}
	if len(ways) == 0 {
		return fmt.Errorf("%w: sign in to %s in a terminal on this machine", err, c.Name)
	}
	return fmt.Errorf("%w: %s", err, strings.Join(ways, ", or: "))
}

// rootWords replace a failure that an agent has when it runs as root.
func (c *Config) rootWords(err error) error {
	if c.preset.rootSign == "" || os.Geteuid() != 0 || !strings.Contains(err.Error(), c.preset.rootSign) {
		return err
	}
	return fmt.Errorf("%s does not run as root: run the bridge as another user", c.Name)
}
