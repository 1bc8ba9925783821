package codex

import (
	"encoding/json"
	"fmt"
	"strings"
)

// turnError is why a turn failed, or why Codex tries again.
type turnError struct {
	Message           string          `json:"message"`
	CodexErrorInfo    json.RawMessage `json:"codexErrorInfo"`
	AdditionalDetails string          `json:"additionalDetails"`
}

// kind reads codexErrorInfo, which is a name, or an object of a name and a
// status.
func (e *turnError) kind() (name string, status int) {
	if json.Unmarshal(e.CodexErrorInfo, &name) == nil {
		return name, 0
	}
	var full map[string]struct {
		HTTPStatusCode int `json:"httpStatusCode"`
	}
	if json.Unmarshal(e.CodexErrorInfo, &full) == nil {
		for n, detail := range full {
			return n, detail.HTTPStatusCode
		}
	}
	return "", 0
}

// words says it to a user: what to do first, as a C64 shows 90 characters.
func (e *turnError) words() string {
	name, status := e.kind()
	message := plainMessage(e.Message)
	switch {
	case status == 401 || name == "unauthorized":
		return "Sign-in was refused. Sign in again on the pages: Set-up, Agent. " + message
	case name == "contextWindowExceeded":
		return "The session is too long for the model; start a new one. " + message
	case status == 429 || name == "responseTooManyFailedAttempts":
		return "The model is asked too often; wait a minute. " + message
	case strings.HasPrefix(message, "Missing environment variable"):
		return message + " Set it for the bridge."
	case message == "":
		return "Codex gives no reason."
	}
	return message
}

// retryWords is the reason of a retry in a line.
func (e *turnError) retryWords() string {
	message, detail := plainMessage(e.Message), plainMessage(e.AdditionalDetails)
	switch {
	case detail == "":
		return message
	case message == "":
		return detail
	}
	return message + " (" + detail + ")"
}

// plainMessage takes the message out of an error's JSON, as an API sends it, and
// makes it one line.
func plainMessage(text string) string {
	var body struct {
		Error   *struct{ Message string } `json:"error"`
		Message string                    `json:"message"`
		Detail  string                    `json:"detail"`
	}
	if json.Unmarshal([]byte(text), &body) == nil {
		switch {
		case body.Error != nil && body.Error.Message != "":
			text = body.Error.Message
		case body.Message != "":
			text = body.Message
		case body.Detail != "":
			text = body.Detail
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// openWords says why a thread cannot be opened.
func openWords(id string, err error) error {
	switch text := err.Error(); {
	case strings.Contains(text, "already has an active writer"):
		return fmt.Errorf("open session: it is open in another Codex; close it there and try again: %w", err)
	case strings.Contains(text, "is archived"):
		return fmt.Errorf("open session %s: it is archived; unarchive it in Codex first: %w", id, err)
	}
	return fmt.Errorf("open session: %w", err)
}
