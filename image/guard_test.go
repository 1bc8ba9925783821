package image

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
	"github.com/prompt64/prompt64/image/nbd"
)

// What the console says at each start of the machine's kernel, and of the program
// that hangs.
var (
	kernelStarts = regexp.MustCompile(`Linux version \d`)
	bridgeStarts = regexp.MustCompile(`the bad bridge starts, to fail by hang`)
)

// The committed version's bridge hangs for good, half a minute after each start, and
// heeds no signal. Guard has it replaced through gokrazy, reboots at the third time,
// does so three times, then leaves the device up, and says why.
func TestGuardRebootsForABridgeThatHangsThreeTimesAndThenStaysUp(t *testing.T) {
	needsLong(t)
	ctx := within(t, 5*patience)
	d := start(t, copyImage(t, releaseOf(t, badVersion).image), nbd.Fault{After: -1}, "hang")
	const boots = 4 // the first, and those that guard is for
	began := time.Now()
	for n := 1; n <= boots; n++ {
		awaits(t, ctx, d, fmt.Sprintf("start %d of the machine", n), func(console string) bool {
			return len(kernelStarts.FindAllString(console, -1)) >= n
		})
		t.Logf("start %d of the machine after %.0f s", n, time.Since(began).Seconds())
	}
	// The bridge's first start, two restarts, and two more that are no reboot any more.
	awaits(t, ctx, d, "the bridge to be started again and again", func(console string) bool {
		last := kernelStarts.FindAllStringIndex(console, -1)[boots-1][0]
		return len(bridgeStarts.FindAllString(console[last:], -1)) >= 5
	})
	if n := len(kernelStarts.FindAllString(d.Console(), -1)); n != boots {
		t.Errorf("the machine started %d times", n)
	}
	t.Logf("and stays up, %.0f s after the first start", time.Since(began).Seconds())
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	perm := checkPerm(t, d.card)
	toldInOrder(t, permFile(t, perm, "/prompt64/"+guardlog.Name))
	if dump := permFile(t, perm, "/prompt64/"+guardlog.DumpName); !strings.Contains(dump, "goroutine ") {
		t.Errorf("the bridge's goroutines are kept as %.200q", dump)
	}
}

// awaits waits for something that the console tells.
func awaits(t *testing.T, ctx context.Context, d device, what string, is func(console string) bool) {
	t.Helper()
	if err := d.Wait(ctx, func(context.Context) error {
		if is(d.Console()) {
			return nil
		}
		return fmt.Errorf("there is not yet %s", what)
	}); err != nil {
		t.Fatal(err)
	}
}

// toldInOrder checks what guard wrote down.
func toldInOrder(t *testing.T, text string) {
	t.Helper()
	var log guardlog.Log
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var got []guardlog.Action
	starts := map[string]bool{}
	for _, e := range log.Entries {
		got = append(got, e.Action)
		starts[e.Boot] = true
		if !strings.Contains(e.Reason, "the bridge does not answer") || !strings.Contains(e.Reason, "the pages do not answer") {
			t.Errorf("%s because %q", e.Action, e.Reason)
		}
	}
	again := []guardlog.Action{guardlog.Restarted, guardlog.Restarted, guardlog.Rebooted}
	want := slices.Concat(again, again, again, again[:2], []guardlog.Action{guardlog.StayedUp})
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) || slices.ContainsFunc(got[len(want):], isReboot) {
		t.Errorf("guard did %q, want %q", got, want)
	}
	if len(starts) != 4 || len(log.Reboots) != 3 {
		t.Errorf("it tells of %d starts and counts %d reboots", len(starts), len(log.Reboots))
	}
}

func isReboot(a guardlog.Action) bool { return a == guardlog.Rebooted }
