package web

import (
	"net/http"
	"strconv"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/link"
)

// serialPart is the serial line to a C64.
func serialPart() setupPart {
	return setupPart{"/setup/serial", "Serial line", "serial", serialNow, []route{
		{"GET /setup/serial", signedIn, func(v *visit) error { return v.showSerial(http.StatusOK, serialForm(v.site)) }},
		{"POST /setup/serial", signedIn, saveSerial},
	}}
}

func serialNow(s *Site) setupNow {
	line := s.Settings.Settings().Serial
	if line.Port == "" {
		return setupNow{Words: "not used"}
	}
	return setupNow{Words: line.Port + ", " + strconv.Itoa(line.Baud) + " bits a second", Done: true}
}

func serialForm(s *Site) *form {
	line := s.Settings.Settings().Serial
	ports := []option{{"", "none: C64s come over the network"}}
	var there []string
	if s.Ports != nil {
		there = s.Ports()
	}
	for _, port := range there {
		ports = append(ports, option{port, port})
	}
	var bauds []option
	for _, n := range link.Bauds() {
		bauds = append(bauds, option{strconv.Itoa(n), strconv.Itoa(n)})
	}
	f := &form{Fields: []*field{
		{Name: "port", Label: "Adapter", Type: "select", Value: line.Port, Options: ports,
			Hint: "Adapters that are plugged in are listed; reload the page after plugging one in."},
		{Name: "baud", Label: "Bits a second", Type: "select", Value: strconv.Itoa(line.Baud), Options: bauds,
			Hint: "The same as on the C64's connect screen."},
	}}
	f.field("port").offer(line.Port)
	return f
}

func (v *visit) showSerial(status int, f *form) error {
	return v.show(status, "serial", "Serial line", map[string]any{
		"Form": f, "Pending": v.site.Pending(), "CanRestart": v.site.Restart != nil,
	})
}

func saveSerial(v *visit) error {
	f := serialForm(v.site)
	f.fill(v)
	err := v.save(func(s *config.Settings) error {
		baud, err := strconv.Atoi(v.value("baud"))
		if err != nil {
			baud = 0 // which the settings refuse, with what is allowed
		}
		s.Serial.Port, s.Serial.Baud = v.value("port"), baud
		return nil
	})
	if err != nil {
		return v.showSerial(f.wrong(v, err, map[string]string{"serial.port": "port", "serial.baud": "baud"}), f)
	}
	return v.goTo("/setup/serial", "Saved.")
}
