package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

var sample = []Row{
	{Name: "delta, p99", Value: 0.1834, Unit: "ms", Spread: 0.251, Ratio: 2.5, To: "echo", Aim: AtMost(0.3)},
	{Name: "größe", Value: 25001, Unit: "bytes", Exact: true, Aim: AtMost(24576), Note: "no room"},
	{Name: "speed", Value: 7.5, Unit: "x", Aim: AtLeast(8)},
}

func TestTableLinesUpAndSaysWhatIsOver(t *testing.T) {
	var b bytes.Buffer
	if err := Table(&b, sample, []Missing{{"memory", errors.New("no such program")}}); err != nil {
		t.Fatal(err)
	}
	want := `what        median         spread        ratio  aim              note
------------------------------------------------------------------------
delta, p99   0.183  ms       25 %  2.50 x echo  <= 0.300  ok
größe        25001  bytes                       <= 24576  over   no room
speed         7.50  x         0 %               >= 8      under
not measured: memory: no such program
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestVerdictFollowsTheAim(t *testing.T) {
	for _, c := range []struct {
		value float64
		aim   *Aim
		want  string
	}{
		{0.3, AtMost(0.3), "ok"},
		{0.31, AtMost(0.3), "over"},
		{8, AtLeast(8), "ok"},
		{7.99, AtLeast(8), "under"},
		{math.NaN(), AtMost(1), "over"},
		{math.NaN(), AtLeast(1), "under"},
		{1e9, nil, ""},
	} {
		if got := (Row{Value: c.value, Aim: c.aim}).Verdict(); got != c.want {
			t.Errorf("%v against %v: %q, want %q", c.value, c.aim, got, c.want)
		}
	}
}

func TestNumbersKeepThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 12: "12", 1234567: "1234567", 1234.5: "1234", 123.45: "123", 12.345: "12.3",
		1.2345: "1.23", 0.12345: "0.123", 0.01234: "0.0123", 0.00001: "0.0000", -1.5: "-1.50",
	} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestJSONHoldsWhatTheTableShows(t *testing.T) {
	var b bytes.Buffer
	rows := append(sample[:2:2], Row{Name: "nothing", Value: math.NaN()})
	if err := JSON(&b, rows, []Missing{{"memory", errors.New("no such program")}}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Rows    []map[string]any
		Missing []map[string]string
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	delta, size := got.Rows[0], got.Rows[1]
	if delta["value"] != 0.1834 || delta["spread"] != 0.251 || delta["at_most"] != 0.3 || delta["verdict"] != "ok" || delta["ratio_to"] != "echo" {
		t.Errorf("delta: %v", delta)
	}
	if _, ok := size["spread"]; ok || size["verdict"] != "over" {
		t.Errorf("an exact value: %v", size)
	}
	if _, ok := got.Rows[2]["value"]; ok {
		t.Errorf("NaN was written: %v", got.Rows[2])
	}
	if got.Missing[0]["error"] != "no such program" {
		t.Errorf("missing: %v", got.Missing)
	}
}

func TestEmptyJSONHasListsNotNulls(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, nil, nil); err != nil || strings.Contains(b.String(), "null") {
		t.Errorf("%v: %s", err, b.String())
	}
}
