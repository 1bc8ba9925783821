package support

import (
	"fmt"
	"os"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

// crashVariable has this program crash instead of testing: its value is the
// folder that the last words go to.
const crashVariable = "PROMPT64_TEST_CRASH"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashVariable); dir != "" {
		crashed, err := NewDisk(dir, nil, nil, nil).CatchCrashes()
		fmt.Println("crashed", crashed, err)
		done := make(chan struct{})
		go func() { panic("these were my last words") }()
		<-done
	}
	leaks.Main(m)
}
