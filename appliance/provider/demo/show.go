package demo

import (
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// thinkAloud reasons in summaries and in raw text, then answers. Which of the
// two is sent is the setting's matter.
func (t *turn) thinkAloud(string) error {
	for _, ev := range []provider.ReasoningEvent{
		{Text: "**Reading the question.** The user wants "},
		{Text: "to see how reasoning looks.\n"},
		{Text: "Okay. A 6510 runs at about 1 MHz, ", Raw: true},
		{Text: "and a screen has 1000 characters. ", Raw: true},
		{Text: "So a full screen at 20 cycles each is 20000 cycles.\n", Raw: true},
		{Text: "**Comparing numbers.** A PAL frame "},
		{Text: "has 19656 cycles.\n"},
		{Text: "20000 / 19656 is a little more than one frame. ", Raw: true},
		{Text: "Good, that is the answer.", Raw: true},
	} {
		if err := t.think(ev); err != nil {
			return err
		}
	}
	return t.sayWords("A full screen takes **about one frame**: 1000 characters at 20 cycles " +
		"are 20,000 cycles, and a PAL frame has 19,656.")
}

// plan shows activities that follow each other; one of them fails.
func (t *turn) plan(string) error {
	if err := t.sayWords("My plan:\n\n1. read the files\n2. run the tests\n3. mend what fails\n\n"); err != nil {
		return err
	}
	for _, step := range []struct {
		label string
		ok    bool
	}{{"read the files", true}, {"run the tests", false}, {"mend what fails", true}, {"run the tests again", true}} {
		end, err := t.activity(step.label)
		if err != nil {
			return err
		}
		err = t.pause(planStepMS)
		end(err == nil && step.ok)
		if err != nil {
			return err
		}
	}
	return t.sayWords("All done. (I only pretended: nothing was changed.)")
}

const planStepMS = 400

// show says what shaping has to deal with: Markdown and characters that a C64
// has, or has not.
func (t *turn) show(string) error { return t.sayWords(showcase) }

const showcase = "# Heading\n\n" +
	"Plain, *emphasis*, **strong**, `code`, ~~struck~~ and [a link](https://www.c64-wiki.com/).\n\n" +
	"- a bullet\n- another\n  - and one below it\n\n" +
	"1. first\n2. second\n\n" +
	"> A quotation.\n\n" +
	"| chip | job |\n| --- | --- |\n| VIC-II | picture |\n| SID | sound |\n\n" +
	"```basic\n10 PRINT \"HELLO\"\n20 GOTO 10\n```\n\n" +
	"Caf\u00e9, \u201cquotes\u201d, a dash \u2013 an arrow \u2192 an ellipsis\u2026 \u20ac 64 \u2713\n\n" +
	"\u250c\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2510\n" +
	"\u2502 64 \u2502 KB \u2502\n" +
	"\u2514\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2518\n\n" +
	"Emoji become a mark: \U0001F600 \U0001F468\u200D\U0001F469\u200D\U0001F467\n"

// two raises two approvals at once: the second has to wait its turn.
func (t *turn) two(string) error {
	var waiting []<-chan frames.Decision
	for _, name := range []string{"first", "second"} {
		id, answer := t.raise(frames.KindCommand)
		if answer == nil {
			return t.sayWords("Commands are accepted for this session already.")
		}
		if err := t.push(pretend(id, name)); err != nil {
			return err
		}
		waiting = append(waiting, answer)
	}
	for i, answer := range waiting {
		v, err := t.await(answer)
		if err != nil {
			return err
		}
		words := "The first is "
		if i == 1 {
			words = "the second is "
		}
		if v == allowed {
			words += "accepted. "
		} else {
			words += "declined. "
		}
		if err := t.sayWords(words); err != nil {
			return err
		}
	}
	return nil
}

// pretend is an approval that does nothing when it is accepted.
func pretend(id, name string) provider.ApprovalEvent {
	return provider.ApprovalEvent{
		ID: id, Kind: frames.KindCommand, Summary: "Pretend: " + name,
		Detail: []provider.DetailLine{
			{Kind: frames.LineContext, Text: "pretend " + name},
			{Kind: frames.LineMetadata, Text: "Nothing is run, whatever you answer."},
		},
	}
}

// gone raises an approval and takes it back after a while.
func (t *turn) gone(string) error {
	id, answer := t.raise(frames.KindCommand)
	if answer == nil {
		return t.sayWords("Commands are accepted for this session already.")
	}
	if err := t.push(pretend(id, "this goes away in two seconds")); err != nil {
		return err
	}
	if err := t.pause(goneAfterMS); err != nil {
		return err
	}
	if t.withdraw(id, "the demo changed its mind") {
		return t.sayWords("The question went away by itself.")
	}
	if _, err := t.await(answer); err != nil {
		return err
	}
	return t.sayWords("You were quicker than I was.")
}

const goneAfterMS = 2000

// retry starts an answer, loses it, and gives it anew.
func (t *turn) retry(string) error {
	if err := t.sayWords("This answer will be lo"); err != nil {
		return err
	}
	t.said.Reset()
	if err := t.push(provider.RetryEvent{Reason: "the demo lost its line", Dropped: true}); err != nil {
		return err
	}
	return t.sayWords("This answer was lost once, and came again.")
}
