package provider

import "github.com/prompt64/prompt64/frames"

// Visible reports whether a piece of reasoning is shown under a setting: none
// when reasoning is off, summaries when it is Summary or Detailed, and the raw
// text alone when it is Developer.
func (e ReasoningEvent) Visible(setting frames.Reasoning) bool {
	switch setting {
	case frames.ReasoningSummary, frames.ReasoningDetailed:
		return !e.Raw
	case frames.ReasoningDeveloper:
		return e.Raw
	}
	return false
}
