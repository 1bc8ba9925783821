package main

import (
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/c64prg"
)

// codeVariable is the environment's name for the pairing code. It is no flag,
// since every user of the machine can read a command line.
const codeVariable = "PROMPT64_CODE"

// pairingOptions say who may drive the agent.
type pairingOptions struct {
	code      string
	codeGiven bool // even if it is empty
	allow     []netip.Prefix
}

func readPairing(allow, codeFile string) (pairingOptions, error) {
	var o pairingOptions
	var err error
	if o.allow, err = bridge.ParseAllow(allow); err != nil {
		return o, usageError{err}
	}
	from := codeVariable
	o.code = os.Getenv(codeVariable)
	o.codeGiven = o.code != ""
	if codeFile != "" {
		from = codeFile
		text, err := os.ReadFile(codeFile)
		if err != nil {
			return o, fmt.Errorf("read pairing code: %w", err)
		}
		o.code, o.codeGiven = strings.TrimSpace(string(text)), true
	}
	if err := c64prg.CheckCode(o.code); err != nil {
		return o, fmt.Errorf("pairing code in %s: %w", from, err)
	}
	return o, nil
}
