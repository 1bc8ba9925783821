package flash

// Step is what is going on.
type Step string

// The steps.
const (
	Looking Step = "looking at the image"
	Writing Step = "writing"
	Flush   Step = "waiting for the card"
	Reading Step = "reading back"
)

// Progress is told how far a step is, in bytes. It may be nil.
type Progress func(step Step, done, total int64)

func (p Progress) show(step Step, done, total int64) {
	if p != nil {
		p(step, done, total)
	}
}
