package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSerialPortAndSpeedAreRead(t *testing.T) {
	for text, want := range map[string]serialOptions{
		"/dev/ttyUSB0":       {"/dev/ttyUSB0", 38400},
		"/dev/ttyUSB0:9600":  {"/dev/ttyUSB0", 9600},
		"COM3:115200":        {"COM3", 115200},
		"/dev/serial/by-x/y": {"/dev/serial/by-x/y", 38400},
	} {
		got, err := parseSerial(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, words := range map[string]string{
		":9600":             "name the port",
		"/dev/ttyUSB0:fast": "PORT:BAUD",
		"/dev/ttyUSB0:":     "PORT:BAUD",
		"/dev/ttyUSB0:300":  "2400",
	} {
		if _, err := parseSerial(text); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", text, err, words)
		}
	}
}

func TestSerialLineOfTheCommandLineWinsOverTheSettings(t *testing.T) {
	dir := settingsFolder(t, `{"version":1,"serial":{"port":"/dev/ttyUSB1","baud":9600}}`)
	if got := optionsOf(t, dir).serial; got != (serialOptions{"/dev/ttyUSB1", 9600}) {
		t.Errorf("of the settings: %+v", got)
	}
	if got := optionsOf(t, dir, "-serial", "/dev/ttyUSB2").serial; got != (serialOptions{"/dev/ttyUSB2", 38400}) {
		t.Errorf("of the command line: %+v", got)
	}
	if diff := cmp.Diff(serialOptions{}, optionsOf(t, t.TempDir()).serial, cmp.AllowUnexported(serialOptions{})); diff != "" {
		t.Errorf("of nobody: %s", diff)
	}
}
