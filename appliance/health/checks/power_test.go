package checks

import (
	"testing"
	"testing/fstest"

	"github.com/prompt64/prompt64/appliance/health"
)

func TestLowVoltageIsSeenByTheDriverOrTheFirmware(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	driver := func(alarm string) fstest.MapFS {
		return fstest.MapFS{
			"sys/class/hwmon/hwmon0/name":            file("cpu_thermal"),
			"sys/class/hwmon/hwmon0/in0_lcrit_alarm": file("1"),
			"sys/class/hwmon/hwmon1/name":            file("rpi_volt"),
			"sys/class/hwmon/hwmon1/in0_lcrit_alarm": file(alarm),
		}
	}
	firmware := func(bits string) fstest.MapFS { return fstest.MapFS{throttledFile: file(bits)} }
	for _, c := range []struct {
		name   string
		system fstest.MapFS
		state  health.State
		words  string
	}{
		{"another computer", fstest.MapFS{}, health.Unknown, "does not tell"},
		{"another sensor", fstest.MapFS{"sys/class/hwmon/hwmon0/name": file("cpu_thermal")}, health.Unknown, "does not tell"},
		{"driver: good", driver("0"), health.OK, "good"},
		{"driver: low", driver("1"), health.Warn, "too low now"},
		{"driver: nonsense", driver("perhaps"), health.Unknown, "does not tell"},
		{"firmware: good", firmware("0"), health.OK, "good"},
		{"firmware: low", firmware("50005"), health.Warn, "too low now"},
		{"firmware: with a prefix", firmware("0x50005"), health.Warn, "too low now"},
		{"firmware: was low", firmware("50000"), health.Warn, "at some time"},
		{"firmware: hot", firmware("8"), health.Warn, "too hot"},
		{"firmware: throttled", firmware("4"), health.Warn, "too hot"},
		{"firmware: was hot", firmware("80000"), health.OK, "was hot"},
		{"firmware: nonsense", firmware("zz"), health.Unknown, "does not tell"},
	} {
		t.Run(c.name, func(t *testing.T) { says(t, check(t, Power(c.system)), c.state, c.words) })
	}
}
