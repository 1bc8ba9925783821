package rig

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func TestATurnThatCannotBeginIsAnError(t *testing.T) {
	b := started(t)
	refused := errors.New("no wire")
	if _, err := b.Turn(t.Context(), func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := b.Turn(ctx, func() error { cancel(); return nil }) // nobody sent a prompt
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAnAnswerOfAnotherTypeIsAnError(t *testing.T) {
	b := started(t)
	c, err := Greet(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Ask(frames.LeaseGet{}, new(frames.ReconnectState)); err == nil {
		t.Error("LeaseState was taken for ReconnectState")
	}
}

func TestClosingLeavesNothingBehind(t *testing.T) {
	b, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := Attach(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(b.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
	if _, err := c.Frames.Next(); err == nil {
		t.Error("the client is still attached")
	}
	if _, err := Attach(b.Addr); err == nil || !strings.Contains(err.Error(), "greet") {
		t.Errorf("a closed bridge: %v", err)
	}
}
