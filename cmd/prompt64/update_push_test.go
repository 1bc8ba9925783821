package main

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/update"
)

func TestUpdateThatNeedsConsentSaysHowToGiveIt(t *testing.T) {
	_, nobody := net.Dial("tcp", "127.0.0.1:0")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"guard":   {errors.New("the device refuses the update: " + update.ErrOtherGuard.Error()), "-guard"},
		"older":   {errors.New("the device refuses the update: " + update.ErrOlder.Error()), "-older"},
		"nowhere": {fmt.Errorf("reach prompt65.local: %w", nobody), "is the device on"},
		"other":   {errors.New("that is not the device's password"), ""},
	} {
		got := advised(c.err)
		if !errors.Is(got, c.err) || !strings.Contains(got.Error(), c.want) || c.want == "" && got.Error() != c.err.Error() {
			t.Errorf("%s: %v", name, got)
		}
	}
	if err := advised(nil); err != nil {
		t.Error(err)
	}
}
