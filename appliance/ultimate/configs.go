package ultimate

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// interfaceItem is the setting's name; that of its category differs between
// products and versions.
const interfaceItem = "Command Interface"

// item is where a device keeps the setting, and its state.
type item struct {
	category string
	state    Switch
}

// commandInterface finds the setting. A pattern asks all categories at once; the
// device answers with each that exists, most of them empty.
func (c *Client) commandInterface(ctx context.Context, d Device) (item, error) {
	found, err := c.findItem(ctx, d, "*")
	if err != nil || found.category != "" {
		return found, err
	}
	a, err := c.read(ctx, d, "/v1/configs")
	if err != nil {
		return item{}, err
	}
	var v struct {
		Categories []string `json:"categories"`
	}
	if !a.ok() || a.decode(&v) != nil {
		return item{}, noInterface
	}
	for _, category := range v.Categories {
		if !strings.Contains(strings.ToLower(category), "artridge") {
			continue
		}
		if found, err := c.findItem(ctx, d, url.PathEscape(category)); err != nil || found.category != "" {
			return found, err
		}
	}
	return item{}, noInterface
}

// findItem asks categories for the setting. None that has it is the zero item.
func (c *Client) findItem(ctx context.Context, d Device, pattern string) (item, error) {
	a, err := c.read(ctx, d, "/v1/configs/"+pattern+"/"+url.PathEscape(interfaceItem))
	if err != nil || !a.ok() {
		return item{}, err
	}
	var v map[string]any
	if err := a.decode(&v); err != nil {
		return item{}, err
	}
	for category, items := range v {
		of, ok := items.(map[string]any)
		if !ok {
			continue // the list of errors
		}
		for name, value := range of {
			if strings.EqualFold(name, interfaceItem) {
				return item{category, stateOf(value)}, nil
			}
		}
	}
	return item{}, nil
}

// stateOf reads a setting, which is a text or an object with its current one.
func stateOf(v any) Switch {
	if o, ok := v.(map[string]any); ok {
		v = o["current"]
	}
	text, _ := v.(string)
	switch {
	case strings.EqualFold(text, "Enabled"):
		return On
	case strings.EqualFold(text, "Disabled"):
		return Off
	}
	return Unknown
}

// Enable switches a device's command interface on and saves that setting, nothing
// else: what its owner tried out and did not save stays unsaved. It takes effect at
// once, without a reset. A device that is on already is left alone.
//
// The error is a [*Trouble] unless ctx ended. With [NotSaved] it is on.
func (c *Client) Enable(ctx context.Context, d Device) error {
	return c.words(ctx, c.enable(ctx, d))
}

func (c *Client) enable(ctx context.Context, d Device) error {
	found, err := c.commandInterface(ctx, d)
	if err != nil || found.state == On {
		return err
	}
	category := url.PathEscape(found.category)
	set := request{method: http.MethodPut, path: "/v1/configs/" + category + "/" + url.PathEscape(interfaceItem) + "?value=Enabled", timeout: setTimeout}
	a, err := c.ask(ctx, d, set)
	if err != nil {
		return err
	}
	if !a.ok() {
		return refused(a.status, a.words())
	}
	// What counts is what the device says afterwards.
	if found, err = c.commandInterface(ctx, d); err != nil {
		return err
	}
	if found.state != On {
		return &Trouble{Refused, "The Ultimate took the setting, but its command interface is still off.", "Switch it on by hand: " + interfaceSetting}
	}
	return c.save(ctx, d, category)
}

func (c *Client) save(ctx context.Context, d Device, category string) error {
	a, err := c.ask(ctx, d, request{method: http.MethodPut, path: "/v1/configs/" + category + ":save_to_flash", timeout: setTimeout})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || !a.ok() {
		return notSaved
	}
	var v struct {
		Written []string `json:"written"`
	}
	// Firmware that does not know a category here saves nothing and says so.
	if a.decode(&v) != nil || !slices.ContainsFunc(v.Written, func(s string) bool { return url.PathEscape(s) == category }) {
		return notSaved
	}
	return nil
}

// words makes an error one that a person can act on.
func (c *Client) words(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return c.trouble(err)
}
