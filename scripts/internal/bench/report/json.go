package report

import (
	"encoding/json"
	"io"
	"math"
)

// jsonRow is a Row as tools read it. A value that is no number is left out.
type jsonRow struct {
	Name    string   `json:"name"`
	Value   *float64 `json:"value,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	Spread  *float64 `json:"spread,omitempty"`
	Ratio   float64  `json:"ratio,omitempty"`
	To      string   `json:"ratio_to,omitempty"`
	AtMost  *float64 `json:"at_most,omitempty"`
	AtLeast *float64 `json:"at_least,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
	Note    string   `json:"note,omitempty"`
}

type jsonMissing struct {
	Name  string `json:"name"`
	Error string `json:"error"`
}

// JSON writes {"rows": [...], "missing": [...]}.
func JSON(w io.Writer, rows []Row, missing []Missing) error {
	out := struct {
		Rows    []jsonRow     `json:"rows"`
		Missing []jsonMissing `json:"missing"`
	}{Rows: []jsonRow{}, Missing: []jsonMissing{}}
	for _, r := range rows {
		out.Rows = append(out.Rows, r.json())
	}
	for _, m := range missing {
		out.Missing = append(out.Missing, jsonMissing{m.Name, m.Err.Error()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func (r Row) json() jsonRow {
	j := jsonRow{Name: r.Name, Unit: r.Unit, Ratio: r.Ratio, To: r.To, Verdict: r.Verdict(), Note: r.Note}
	if !math.IsNaN(r.Value) && !math.IsInf(r.Value, 0) {
		j.Value = &r.Value
	}
	if !r.Exact {
		j.Spread = &r.Spread
	}
	if r.Aim != nil {
		limit := &r.Aim.Limit
		if r.Aim.Least {
			j.AtLeast = limit
		} else {
			j.AtMost = limit
		}
	}
	return j
}
