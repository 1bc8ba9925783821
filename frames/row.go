package frames

import "strings"

// changeStates are the letters of a CHANGES row.
const changeStates = "MADRU?"

// AppendTo appends the row's data, without a header, to dst; a label over
// MaxActivityLabel is cut.
func (r ActivityRow) AppendTo(dst []byte) []byte {
	return appendText(append(dst, byte(r.Lifecycle)), r.Label, MaxActivityLabel, false)
}

// Decode reads the data of a row of the ACTIVITY tab; Label aliases it.
func (r *ActivityRow) Decode(data []byte) error { return r.decode(TypeDashboardEntry, data) }

func (r *ActivityRow) decode(t Type, data []byte) error {
	if len(data) < 1 {
		return framing(t, t.words()+" ROW TOO SHORT")
	}
	if data[0] > byte(ActivityFailed) {
		return outOfRange(t, " LIFECYCLE", data[0])
	}
	if err := checkText(t, data[1:], false); err != nil {
		return err
	}
	*r = ActivityRow{Lifecycle(data[0]), data[1:]}
	return nil
}

// AppendTo appends the row's data, without a header, to dst; a path over
// MaxChangePath is cut (its tail matters more: cut it at the front before).
func (r ChangeRow) AppendTo(dst []byte) []byte {
	dst = appendU16(appendU16(append(dst, r.State), r.Added), r.Deleted)
	return appendText(dst, r.Path, MaxChangePath, false)
}

// Decode reads the data of a row of the CHANGES tab; Path aliases it.
func (r *ChangeRow) Decode(data []byte) error {
	const t = TypeDashboardEntry
	if len(data) < changeRowFixed {
		return framing(t, t.words()+" ROW TOO SHORT")
	}
	if strings.IndexByte(changeStates, data[0]) < 0 {
		return outOfRange(t, " STATE", data[0])
	}
	if err := checkText(t, data[changeRowFixed:], false); err != nil {
		return err
	}
	*r = ChangeRow{data[0], u16(data[1:]), u16(data[3:]), data[changeRowFixed:]}
	return nil
}

// checkRow judges the data of a row of tab.
func checkRow(tab Tab, data []byte) error {
	switch tab {
	case TabActivity:
		return new(ActivityRow).Decode(data)
	case TabChanges:
		return new(ChangeRow).Decode(data)
	default:
		return checkText(TypeDashboardEntry, data, false)
	}
}
