package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/frames"
)

type (
	frameAccess    = frames.Access
	frameReasoning = frames.Reasoning
)

// Words of the file for the protocol's numbers, by number.
var (
	accessWords    = []string{"read-only", "ask", "auto-review"}
	reasoningWords = []string{"off", "summary", "detailed", "developer"}
)

var bauds = []int{2400, 4800, 9600, 19200, 38400, 57600, 115200}

// loopback stands for the machine itself in an allow list.
const loopback = "loopback"

const (
	hostnameRule = "1 to 63 letters, digits and inner hyphens are allowed"
	addressRule  = "HOST:PORT with a port from 0 to 65535 is allowed, such as :6464 or 127.0.0.1:6464"
	codeRule     = "8 characters of A-Z and 2-9 are allowed, or none"
	allowRule    = "addresses and networks are allowed, such as 192.168.1.7 or 192.168.1.0/24, and loopback"
	portRule     = "a device below /dev is allowed, such as /dev/ttyUSB0, or nothing"
)

func oneOf(words []string) string { return "one of " + strings.Join(words, ", ") + " is allowed" }

func numbers(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ", ")
}

func checkHostname(_ *reader, name string) error {
	other := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
	if name == "" || len(name) > 63 || other != "" || name[0] == '-' || name[len(name)-1] == '-' {
		return errors.New(hostnameRule)
	}
	return nil
}

func checkAddress(_ *reader, addr string) error {
	if addr == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if _, number := strconv.ParseUint(port, 10, 16); err != nil || number != nil {
		return errors.New(addressRule)
	}
	return nil
}

func checkProvider(r *reader, name string) error {
	if known := r.options.Providers; name != "" && known != nil && !slices.Contains(known, name) {
		return errors.New(oneOf(known))
	}
	return nil
}

// checkFolder judges the path alone: links are the workspaces' own concern.
func checkFolder(r *reader, dir string) error {
	root := r.options.root()
	if strings.ContainsRune(dir, 0) {
		return errors.New("no zero bytes are allowed")
	}
	if dir != "" && !within(root, r.options.Folder(dir)) {
		return fmt.Errorf("folders in %s are allowed", root)
	}
	return nil
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

func checkCode(_ *reader, code string) error {
	if c64prg.CheckCode(code) != nil {
		return errors.New(codeRule)
	}
	return nil
}

func checkPort(_ *reader, port string) error {
	if port != "" && (!strings.HasPrefix(port, "/dev/") || filepath.Clean(port) != port || strings.ContainsRune(port, 0)) {
		return errors.New(portRule)
	}
	return nil
}

func checkAllow(word string) error {
	_, err := parseAllow(word)
	return err
}

// parseAllow reads an entry of an allow list.
func parseAllow(word string) ([]netip.Prefix, error) {
	if word == loopback {
		return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}, nil
	}
	if strings.Contains(word, "/") {
		p, err := netip.ParsePrefix(word)
		return []netip.Prefix{p}, err
	}
	addr, err := netip.ParseAddr(word)
	if err != nil {
		return nil, err
	}
	addr = addr.WithZone("").Unmap()
	return []netip.Prefix{netip.PrefixFrom(addr, addr.BitLen())}, nil
}
