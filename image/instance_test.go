package image

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/image/build"
)

// The test images are the card's but for the machine.
func TestInstancesDifferOnlyInTheMachine(t *testing.T) {
	read := func(dir string) map[string]any {
		text, err := os.ReadFile("../" + dir + "/config.json")
		if err != nil {
			t.Fatal(err)
		}
		config := map[string]any{}
		if err := json.Unmarshal(text, &config); err != nil {
			t.Fatal(err)
		}
		return config
	}
	machine := []string{"Environment", "KernelPackage", "FirmwarePackage", "SerialConsole", "KernelExtraArgs"}
	card := read(".")
	for _, b := range build.Boards() {
		config := read(b.Instance)
		args, _ := config["KernelExtraArgs"].([]any)
		if len(args) == 0 || args[0] != "gpt" {
			t.Errorf("%s: Linux would ignore the second copy of the partition table", b.Name)
		}
		env, _ := json.Marshal(config["Environment"])
		if want := strings.Replace(`["GOOS=linux","GOARCH=?","GOFLAGS=-trimpath -ldflags=-s"]`, "?", b.Arch, 1); string(env) != want {
			t.Errorf("%s has the environment %s, not %s", b.Name, env, want)
		}
		for key, value := range card {
			isMachine := false
			for _, m := range machine {
				isMachine = isMachine || m == key
			}
			if !isMachine && !reflect.DeepEqual(config[key], value) {
				t.Errorf("%s has another %s than the card:\n%v\n%v", b.Name, key, config[key], value)
			}
		}
	}
}
