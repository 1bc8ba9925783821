// Package report writes what was measured as a table for people or as JSON.
//
// It judges an aim, and nothing more: a figure that misses its aim is shown as
// it is, never hidden and never an error.
package report

import "fmt"

// Row is one figure.
type Row struct {
	Name   string
	Value  float64 // the median of the runs
	Unit   string
	Spread float64 // half the range of the runs, as a part of the median
	Exact  bool    // counted, not timed: a spread means nothing
	Ratio  float64 // to something bare that ran in turns with it; 0: none
	To     string  // what that was
	Aim    *Aim    // nil: only reported
	Note   string
}

// Aim is what a value should be.
type Aim struct {
	Limit float64
	Least bool // the limit is a least value, not a largest
}

// AtMost is an aim that larger values miss.
func AtMost(limit float64) *Aim { return &Aim{Limit: limit} }

// AtLeast is an aim that smaller values miss.
func AtLeast(limit float64) *Aim { return &Aim{Limit: limit, Least: true} }

// met reports whether v is what it should be; NaN never is.
func (a *Aim) met(v float64) bool {
	if a.Least {
		return v >= a.Limit
	}
	return v <= a.Limit
}

// String writes the aim as it stands in the table.
func (a *Aim) String() string {
	sign := "<="
	if a.Least {
		sign = ">="
	}
	return sign + " " + number(a.Limit)
}

// Verdict is "ok" or "over" ("under" a least value); empty without an aim.
func (r Row) Verdict() string {
	switch {
	case r.Aim == nil:
		return ""
	case r.Aim.met(r.Value):
		return "ok"
	case r.Aim.Least:
		return "under"
	}
	return "over"
}

// number writes about three digits, and all of a whole number.
func number(v float64) string {
	if v == float64(int64(v)) {
		return fmt.Sprintf("%d", int64(v))
	}
	digits := 0
	for limit := 100.0; digits < 4 && v < limit && v > -limit; limit /= 10 {
		digits++
	}
	return fmt.Sprintf("%.*f", digits, v)
}
