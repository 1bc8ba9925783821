package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// scene is one run of a scenario: a client, its workspace, and what it learned.
type scene struct {
	ctx    context.Context
	c      *framestest.Client
	dir    string // the workspace's folder
	learnt strings.Builder
}

// note keeps what a request was answered with.
func (s *scene) note(v any) { fmt.Fprintf(&s.learnt, "%+v\n", v) }

// story is all that the user saw and learned, to compare with another run's.
func (s *scene) story() string { return s.c.Transcript().String() + "\n" + s.learnt.String() }

// ask repeats a request until the line lets it through, and notes the answer.
func ask[T any](s *scene, request func() (T, error)) error {
	err := framestest.Retry(s.ctx, func() error {
		answer, err := request()
		if err == nil {
			s.note(answer)
		}
		return err
	})
	return err
}

// connect tries until there is a lease.
func (s *scene) connect() error {
	for {
		err := s.c.Connect(s.ctx)
		if err == nil || s.ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func (s *scene) turn(prompt string) error {
	end, err := s.c.Turn(s.ctx, prompt)
	s.note(end)
	return err
}

// scenarios are short conversations that together use every frame type.
var scenarios = map[string]func(*scene) error{
	"turn": func(s *scene) error {
		if err := framestest.Retry(s.ctx, func() error { return s.c.Heartbeat(s.ctx) }); err != nil {
			return err
		}
		return s.turn("/think")
	},
	"approval": func(s *scene) error {
		if err := s.c.Prompt("/write a.txt hi"); err != nil {
			return err
		}
		a, err := s.c.WaitApproval(s.ctx)
		if err != nil {
			return err
		}
		if err := ask(s, func() ([]framestest.Line, error) { return s.c.Detail(s.ctx, a.Request) }); err != nil {
			return err
		}
		if err := s.c.Decide(a, frames.AcceptOnce); err != nil {
			return err
		}
		outcome, err := s.c.WaitDecided(s.ctx)
		if err != nil {
			return err
		}
		s.note(outcome)
		if _, err := s.c.WaitEnd(s.ctx); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(s.dir, "a.txt"))
		s.note(string(text))
		return err
	},
	"cancel": func(s *scene) error {
		if err := s.c.Prompt("/hang"); err != nil {
			return err
		}
		if err := s.c.WaitText(s.ctx, len("I hang until you cancel.")); err != nil {
			return err
		}
		if err := s.c.Cancel(); err != nil {
			return err
		}
		_, err := s.c.WaitEnd(s.ctx)
		return err
	},
	"burst":   func(s *scene) error { return s.turn("/stream 20480") },
	"failure": func(s *scene) error { return s.turn("/fail no luck today") },
	"reconnect": func(s *scene) error {
		if err := s.c.Prompt("/slow 3 1"); err != nil {
			return err
		}
		if err := s.c.WaitText(s.ctx, 1); err != nil {
			return err
		}
		s.c.Cut()
		if _, err := s.c.WaitEnd(s.ctx); err != nil {
			return err
		}
		return s.c.WaitAttached(s.ctx) // the turn may have ended before the cut
	},
	"release": func(s *scene) error {
		if err := s.turn("/say bye"); err != nil {
			return err
		}
		err := s.c.Release(s.ctx)
		if errors.Is(err, framestest.ErrLinkLost) {
			err = s.c.WaitReleased(s.ctx)
		}
		return err
	},
	"refusal": func(s *scene) error {
		var refused *framestest.Refused
		err := framestest.Retry(s.ctx, func() error { _, err := s.c.Diff(s.ctx, 99); return err })
		if !errors.As(err, &refused) {
			return fmt.Errorf("a diff of nothing: %w", err)
		}
		s.note(refused.Text)
		return nil
	},
	"lists": func(s *scene) error {
		if err := s.turn("hello"); err != nil {
			return err
		}
		for _, request := range []func() error{
			func() error { return ask(s, func() ([]framestest.Said, error) { return s.c.History(s.ctx) }) },
			func() error { return ask(s, func() ([]framestest.Session, error) { return s.c.Sessions(s.ctx) }) },
			func() error { return ask(s, func() (framestest.Session, error) { return s.c.Select(s.ctx, 0) }) },
			func() error { return ask(s, func() (frames.SettingsState, error) { return s.c.Settings(s.ctx) }) },
			func() error { return ask(s, func() ([]string, error) { return s.c.Texts(s.ctx, frames.TabActions) }) },
			func() error { return ask(s, func() (string, error) { return s.c.Action(s.ctx, 0) }) },
			func() error {
				return ask(s, func() ([]framestest.Folder, error) { return s.c.WorkspaceList(s.ctx, filepath.Base(s.dir)) })
			},
		} {
			if err := request(); err != nil {
				return err
			}
		}
		return nil
	},
	"changes": func(s *scene) error {
		if err := ask(s, func() (string, error) { return s.c.Workspace(s.ctx, "repository") }); err != nil {
			return err
		}
		if err := ask(s, func() ([]framestest.Change, error) { return s.c.Changes(s.ctx) }); err != nil {
			return err
		}
		return ask(s, func() ([]framestest.Line, error) { return s.c.Diff(s.ctx, 0) })
	},
}

// usedBy names the scenario in which a frame type travels.
var usedBy = map[frames.Direction]map[string][]frames.Type{
	frames.ToBridge: {
		"turn": {frames.TypeHello, frames.TypePair, frames.TypeLeaseGet, frames.TypeHeartbeat, frames.TypeUserText,
			frames.TypeSettingsSet, frames.TypeAccessSet, frames.TypeWorkspaceSet},
		"approval":  {frames.TypeApprovalDecision, frames.TypeApprovalDetailGet},
		"cancel":    {frames.TypeTurnCancel},
		"reconnect": {frames.TypeReconnect},
		"release":   {frames.TypeSessionRelease},
		"lists": {frames.TypeSettingsGet, frames.TypeSessionListGet, frames.TypeSessionSelect, frames.TypeHistoryGet,
			frames.TypeDashboardGet, frames.TypeActionGet, frames.TypeWorkspaceListGet},
		"changes": {frames.TypeDiffGet},
	},
	frames.ToC64: {
		"turn": {frames.TypeHelloOk, frames.TypePairState, frames.TypeLeaseState, frames.TypeHeartbeatAck,
			frames.TypeAssistantDelta, frames.TypeReasoningDelta, frames.TypeTurnDone, frames.TypeSettingsState,
			frames.TypeAccessState, frames.TypeWorkspaceState},
		"approval": {frames.TypeApprovalRequest, frames.TypeApprovalAck, frames.TypeActivityEvent,
			frames.TypeApprovalDetailLine, frames.TypeApprovalDetailDone},
		"cancel":    {frames.TypeTurnCancelled},
		"failure":   {frames.TypeTurnFailed},
		"reconnect": {frames.TypeReconnectState, frames.TypeReconnectDone},
		"release":   {frames.TypeSessionRelease},
		"refusal":   {frames.TypeError},
		"lists": {frames.TypeHistoryText, frames.TypeHistoryDone, frames.TypeSessionEntry, frames.TypeSessionListDone,
			frames.TypeSessionState, frames.TypeDashboardEntry, frames.TypeDashboardDone, frames.TypeActionText,
			frames.TypeWorkspaceEntry, frames.TypeWorkspaceListDone},
		"changes": {frames.TypeDiffLine, frames.TypeDiffDone},
	},
}
