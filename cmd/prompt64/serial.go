package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/link"
)

// serialOptions are the serial line to a C64; without a port there is none.
type serialOptions struct {
	port string
	baud int
}

// parseSerial reads PORT or PORT:BAUD.
func parseSerial(text string) (serialOptions, error) {
	o := serialOptions{port: text, baud: link.DefaultBaud}
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		o.port = text[:at]
		var err error
		if o.baud, err = strconv.Atoi(text[at+1:]); err != nil {
			return o, errors.New("write it as PORT or PORT:BAUD, such as /dev/ttyUSB0:38400")
		}
	}
	if o.port == "" {
		return o, errors.New("name the port, such as /dev/ttyUSB0")
	}
	if !slices.Contains(link.Bauds(), o.baud) {
		return o, fmt.Errorf("the speed is one of %s", strings.Trim(fmt.Sprint(link.Bauds()), "[]"))
	}
	return o, nil
}

// startSerial takes the serial line into use. Its port need not be there yet.
func (a *app) startSerial(o serialOptions) error {
	if o.port == "" {
		return nil
	}
	l, err := link.Listen(link.Config{Port: o.port, Baud: o.baud, Log: a.log.With("part", "serial")})
	if err != nil {
		return err
	}
	a.serial = l
	a.onClose(func(ctx context.Context) error {
		err := closeListener(l)
		select { // a C64 gets its last words
		case <-l.Done():
		case <-ctx.Done():
		}
		return err
	})
	return nil
}
