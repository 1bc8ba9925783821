package codex

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`{"message":"unexpected status 401 Unauthorized: Incorrect API key","codexErrorInfo":{"httpConnectionFailed":{"httpStatusCode":401}}}`,
			"Sign-in was refused. Sign in again on the pages: Set-up, Agent. unexpected status 401 Unauthorized: Incorrect API key"},
		{`{"message":"exceeded retry limit","codexErrorInfo":{"responseTooManyFailedAttempts":{"httpStatusCode":429}}}`,
			"The model is asked too often; wait a minute. exceeded retry limit"},
		{`{"message":"You've hit your usage limit. Try again at 11:15 AM.","codexErrorInfo":"usageLimitExceeded"}`,
			"You've hit your usage limit. Try again at 11:15 AM."},
		{`{"message":"ran out of room","codexErrorInfo":"contextWindowExceeded"}`,
			"The session is too long for the model; start a new one. ran out of room"},
		{`{"message":"Missing environment variable: ` + "`KEY`" + `.","codexErrorInfo":"other"}`,
			"Missing environment variable: `KEY`. Set it for the bridge."},
		{`{"message":"{\"error\":{\"message\":\"bad\\nmodel\"}}","codexErrorInfo":"other"}`, "bad model"},
		{`{"message":"{\"detail\":\"nope\"}","codexErrorInfo":null}`, "nope"},
		{`{}`, "Codex gives no reason."},
	} {
		e := decode[turnError](json.RawMessage(c.raw))
		if got := e.words(); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.raw, got, c.want)
		}
	}
}

func TestRetriesAreToldInALine(t *testing.T) {
	for _, c := range []struct{ message, detail, want string }{
		{"Reconnecting... 1/5", "stream disconnected", "Reconnecting... 1/5 (stream disconnected)"},
		{"Reconnecting... 1/5", "", "Reconnecting... 1/5"},
		{"", "refused", "refused"},
	} {
		if got := (&turnError{Message: c.message, AdditionalDetails: c.detail}).retryWords(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestArchivedThreadIsToldInWords(t *testing.T) {
	if err := openWords("x", errors.New("thread x is archived (-32600)")); !strings.Contains(err.Error(), "unarchive it") {
		t.Error(err)
	}
}

func TestRateLimitsAreRead(t *testing.T) {
	st := newStage(t)
	st.Send(`{"method":"account/rateLimits/updated","params":{"rateLimits":{"primary":{"usedPercent":100,"windowDurationMins":300,"resetsAt":1796037341},"secondary":{"usedPercent":7,"windowDurationMins":10080}}}}`)
	st.play("hello")
	got := st.p.Status().Limits
	if len(got) != 2 || got[0].UsedPercent != 100 || got[0].Window != 5*time.Hour || got[0].Resets.Unix() != 1796037341 {
		t.Fatalf("the limits are %+v", got)
	}
	if got[1].String() != "7% used of 7 days" || !strings.HasPrefix(got[0].String(), "100% used of 5 hours, resets ") {
		t.Errorf("in words: %s; %s", got[0], got[1])
	}
	st.Send(`{"method":"account/rateLimits/updated","params":{"rateLimits":{"primary":null}}}`)
	st.play("hello")
	if len(st.p.Status().Limits) != 2 {
		t.Error("what a key does not have took away what was known")
	}
}

func TestVersionIsReadFromTheUserAgent(t *testing.T) {
	for agent, want := range map[string]string{
		"prompt64/0.171.0 (Debian 12.0.0; x86_64) unknown": "0.171.0", "prompt64/1": "1", "odd": "", "": "",
	} {
		if got := versionOf(agent); got != want {
			t.Errorf("%q is %q", agent, got)
		}
	}
	st := newStage(t)
	if info := st.p.Info(); info.Name != "codex" || info.Version != "0.171.0" {
		t.Errorf("the info is %+v", info)
	}
}
