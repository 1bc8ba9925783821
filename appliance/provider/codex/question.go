package codex

import (
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// question is one question of the model.
type question struct {
	ID       string `json:"id"`
	Header   string `json:"header"`
	Question string `json:"question"`
	IsSecret bool   `json:"isSecret"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
}

// noAnswer is what the model reads where a C64 cannot answer.
const noAnswer = "This user's screen cannot show such a question. Ask it in the text of your answer, and end your turn there."

// askQuestion shows a question of two answers as an approval: accept is the
// first, decline the second. Any other is refused in words, and shown.
func (s *session) askQuestion(t *turn, m *message) {
	list := decode[struct{ Questions []question }](m.Params).Questions
	if len(list) != 1 || list[0].IsSecret || len(list[0].Options) != 2 {
		s.refuseQuestions(t, m, list)
		return
	}
	q := list[0]
	var d detail
	d.metadata(q.Question)
	for i, way := range []string{"ACCEPT", "DECLINE"} {
		d.context(fmt.Sprintf("%s: %s", way, q.Options[i].Label))
		d.context(q.Options[i].Description)
	}
	s.raise(t, m, provider.ApprovalEvent{
		Kind:    frames.KindCommand,
		Summary: oneLine(fmt.Sprintf("%s ACCEPT %s, DECLINE %s", q.Question, q.Options[0].Label, q.Options[1].Label)),
		Detail:  d.whole(),
	}, ask{answer: func(dec frames.Decision) any {
		switch dec {
		case frames.AcceptOnce:
			return answers(map[string]string{q.ID: q.Options[0].Label})
		case frames.Decline:
			return answers(map[string]string{q.ID: q.Options[1].Label})
		}
		return nil
	}})
}

// refuseQuestions lets the model ask in its text.
func (s *session) refuseQuestions(t *turn, m *message, list []question) {
	given := map[string]string{}
	for _, q := range list {
		given[q.ID] = noAnswer
		s.noteFailed(t, oneLine("Codex asked in a way that cannot be shown here: "+q.Question))
	}
	s.srv.c.respond(m.ID, answers(given))
}

// answers makes the result of a question request.
func answers(given map[string]string) any {
	all := map[string]any{}
	for id, text := range given {
		all[id] = map[string][]string{"answers": {text}}
	}
	return map[string]any{"answers": all}
}
