package ultimate

import (
	"context"
	"errors"
	"net/http"
)

// RunWarning is what a person must have read before [Client.Run].
const RunWarning = "This resets the C64: whatever runs on it now is lost."

// Run sends a PRG to a device, which resets its C64, loads it and starts it. It is
// sent once, and again only after the device has refused it as busy.
//
// The error is a [*Trouble] unless ctx ended.
func (c *Client) Run(ctx context.Context, d Device, prg []byte) error {
	if len(prg) < minProgram || len(prg) > maxProgram {
		return badProgram(len(prg))
	}
	a, err := c.ask(ctx, d, request{method: http.MethodPost, path: "/v1/runners:run_prg", body: prg, timeout: runTimeout})
	switch {
	case errors.Is(err, errSent) && ctx.Err() == nil:
		return maybeRuns
	case err != nil:
		return c.words(ctx, err)
	case a.status == http.StatusNotFound:
		return oldFirmware
	case !a.ok():
		return refused(a.status, a.words())
	}
	return nil
}
