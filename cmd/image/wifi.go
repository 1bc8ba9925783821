package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/flash"
)

// withoutFirmware is the word for none, where the folder of the firmware is named.
const withoutFirmware = "none"

// firmwareFrom says where the radios' firmware comes from by the word behind
// --firmware.
func firmwareFrom(word string, needed bool) (build.Firmware, error) {
	f := build.Firmware{Needed: needed}
	var err error
	switch word {
	case "":
		f.Address, err = build.FirmwareAddress()
	case withoutFirmware:
		f.Declined = true
	default:
		f.Folder = word
	}
	return f, err
}

// wifiSettings makes prompt64.json of the words behind --wifi: SSID, PSK and
// REGION, or SSID and REGION with the key from standard input.
func wifiSettings(words []string, in io.Reader, out io.Writer) ([]byte, error) {
	var n flash.Setup
	switch len(words) {
	case 3:
		n.SSID, n.PSK, n.Region = words[0], words[1], words[2]
	case 2:
		n.SSID, n.Region = words[0], words[1]
		if len(n.Region) != 2 { // SSID and PSK
			n.PSK, n.Region = n.Region, ""
		}
	case 1:
		n.SSID = words[0]
	default:
		return nil, errors.New("--wifi wants SSID [PSK] [REGION]")
	}
	if n.PSK != "" {
		fmt.Fprintln(out, "warning: every user of this computer can read a Wi-Fi key on a command line, and the shell keeps it; without it, it is asked for")
	} else {
		key, err := askNewSecret(in, out, "Wi-Fi key (empty for an open network): ")
		if err != nil {
			return nil, fmt.Errorf("read the Wi-Fi key: %w", err)
		}
		n.PSK = key
	}
	if err := n.Check(); err != nil {
		return nil, err
	}
	return n.JSON()
}

// askNewSecret asks a terminal twice: nobody sees what is typed, and a slip would make
// a device that nobody reaches, or a key that nobody can use.
func askNewSecret(in io.Reader, out io.Writer, question string) (string, error) {
	once, err := askSecret(in, out, question)
	if f, ok := in.(*os.File); err != nil || once == "" || !ok || !term.IsTerminal(int(f.Fd())) {
		return once, err
	}
	again, err := askSecret(in, out, "The same again: ")
	if err == nil && again != once {
		err = errors.New("the two are not the same: start again")
	}
	return once, err
}

// askSecret asks without showing what is typed, or reads a line of a file.
func askSecret(in io.Reader, out io.Writer, question string) (string, error) {
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(out, question)
		key, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(out)
		return string(key), err
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}
