package codex

import (
	"fmt"
	"time"
)

// Limit is how much of an account's allowance is used.
type Limit struct {
	UsedPercent int
	Window      time.Duration // 0 where unknown
	Resets      time.Time     // zero where unknown
}

// String says it in a line.
func (l Limit) String() string {
	words := fmt.Sprintf("%d%% used", l.UsedPercent)
	if l.Window > 0 {
		words += " of " + windowWords(l.Window)
	}
	if !l.Resets.IsZero() {
		words += ", resets " + l.Resets.Local().Format("Mon 15:04")
	}
	return words
}

func windowWords(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
	return fmt.Sprintf("%g hours", d.Hours())
}

// rateLimits is the notification's shape.
type rateLimits struct {
	RateLimits struct {
		Primary   *rateWindow `json:"primary"`
		Secondary *rateWindow `json:"secondary"`
	} `json:"rateLimits"`
}

type rateWindow struct {
	UsedPercent        int   `json:"usedPercent"`
	WindowDurationMins int64 `json:"windowDurationMins"`
	ResetsAt           int64 `json:"resetsAt"`
}

// limits makes the list; it is empty for an API key, which has none.
func (r rateLimits) limits() []Limit {
	var list []Limit
	for _, w := range []*rateWindow{r.RateLimits.Primary, r.RateLimits.Secondary} {
		if w == nil {
			continue
		}
		l := Limit{UsedPercent: w.UsedPercent, Window: time.Duration(w.WindowDurationMins) * time.Minute}
		if w.ResetsAt > 0 {
			l.Resets = time.Unix(w.ResetsAt, 0)
		}
		list = append(list, l)
	}
	return list
}
