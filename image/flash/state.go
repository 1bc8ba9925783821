package flash

// State is what a card is worth.
type State string

// The states, in the order in which a card goes through them.
const (
	Untouched State = "untouched"
	Half      State = "half-written"
	Unchecked State = "unchecked"
	Bad       State = "bad"
	Good      State = "good"
)

// Words say it to a person.
func (s State) Words() string {
	switch s {
	case Untouched:
		return "Nothing was written: the card is as it was."
	case Half:
		return "The card is HALF-WRITTEN. What was on it is gone, and it does not start. Write it again from the beginning."
	case Unchecked:
		return "The card is written, but was NOT CHECKED. It may work; to be sure, write it again."
	case Bad:
		return "The card is written, but what it gives back is WRONG. Do not use it: try another card or another card reader."
	case Good:
		return "The card is written and checked. It can be taken out."
	}
	return "The card is in a state that has no name: write it again."
}
