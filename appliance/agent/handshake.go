package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Handshake starts the program's server, greets it and compares its version.
func Handshake(ctx context.Context, t Trial) error {
	version, err := ProgramVersion(ctx, t)
	if err == nil && t.Version != "" && version != t.Version {
		err = fmt.Errorf("it calls itself version %s, not %s", version, t.Version)
	}
	if err != nil {
		return fmt.Errorf("handshake: %w", err)
	}
	return nil
}

// ProgramVersion starts a program and asks which version it is.
func ProgramVersion(ctx context.Context, t Trial) (string, error) {
	b, err := newBench(t)
	if err != nil {
		return "", err
	}
	defer func() { _ = b.close() }()
	ctx, cancel := context.WithTimeoutCause(ctx, handshakeTime, fmt.Errorf("no answer within %v", handshakeTime))
	defer cancel()
	return b.greet(ctx, t.Program)
}

const greeting = `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"prompt64","title":"Prompt64","version":"selftest"},"capabilities":{}}}` + "\n"

// greet returns the version that the server names.
func (b *bench) greet(ctx context.Context, path string) (string, error) {
	cmd := b.command(ctx, path, "app-server")
	noise := &tail{}
	cmd.Stderr = guarded.Writer("log of a trial", noise)
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := b.user.Start(cmd); err != nil {
		return "", startWords(err)
	}
	_, err = io.WriteString(in, greeting)
	var version string
	if err == nil {
		version, err = readVersion(out)
	}
	_ = in.Close() // it goes at the end of its input, or is killed
	timer := guarded.AfterFunc(goodbyeTime, "end of a trial", func() { _ = cmd.Cancel() }, nil)
	defer timer.Stop()
	waitErr := cmd.Wait()
	switch {
	case err == nil:
		return version, nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case waitErr != nil:
		err = waitErr
	}
	return "", fmt.Errorf("%w%s", err, noise)
}

// readVersion waits for the answer to the greeting.
func readVersion(r io.Reader) (string, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxAnswerLine)
	for range maxAnswers {
		if !lines.Scan() {
			break
		}
		var answer struct {
			ID     json.RawMessage `json:"id"`
			Result struct {
				UserAgent string `json:"userAgent"`
			} `json:"result"`
			Error *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		switch err := json.Unmarshal(lines.Bytes(), &answer); {
		case err != nil || string(answer.ID) != "1":
			continue
		case answer.Error != nil:
			return "", fmt.Errorf("it refuses: %s", answer.Error.Message)
		}
		// prompt64/0.171.0 (Debian 12.0.0; x86_64) ...
		_, rest, _ := strings.Cut(answer.Result.UserAgent, "/")
		version, _, _ := strings.Cut(rest, " ")
		if version == "" {
			return "", fmt.Errorf("its answer names no version: %q", answer.Result.UserAgent)
		}
		return version, nil
	}
	if err := lines.Err(); err != nil {
		return "", err
	}
	return "", errors.New("it ended without an answer")
}
