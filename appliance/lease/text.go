package lease

import (
	"context"
	"errors"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/display"
)

// shape makes one display-safe line of a provider's or a file system's text.
func shape(text string, s Settings) []byte {
	return display.Line(text, display.Options{Palette: s.palette()})
}

// shapedBytes is how many bytes of text are looked at for each byte that is
// shown: a character may take several, and nobody shall wait for a megabyte that
// is cut anyway.
const shapedBytes = 16

// head is text as a line of at most n bytes; a longer one loses its end.
func head(text string, s Settings, n int) []byte {
	return display.FitHead(shape(text[:min(len(text), n*shapedBytes)], s), n)
}

// tail is text as a line of at most n bytes; a longer one keeps its end.
func tail(text string, s Settings, n int) []byte {
	return display.FitTail(shape(text[max(0, len(text)-n*shapedBytes):], s), n)
}

// words are an Error's: what failed, and why.
func words(what string, err error) string {
	return string(head(what+": "+reason(err), Settings{}, frames.MaxErrorText))
}

// reason is an error in words for a reader of the screen.
func reason(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long, try again"
	case errors.Is(err, context.Canceled):
		return "it was cancelled"
	}
	if advice, ok := errors.AsType[*provider.Advice](err); ok {
		return advice.Words
	}
	return err.Error()
}

// startReason says why a turn has no agent. Advice stands alone: what to do must
// be on the screen.
func startReason(err error) string {
	if advice, ok := errors.AsType[*provider.Advice](err); ok {
		return advice.Words
	}
	return "The agent did not start: " + reason(err)
}
