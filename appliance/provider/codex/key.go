package codex

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// LoginWithKey signs in with an API key, which the server stores in its home.
// The key is never logged, and never stands on a command line.
func (p *Provider) LoginWithKey(ctx context.Context, key string) error {
	if key = strings.TrimSpace(key); key == "" || strings.ContainsAny(key, " \t\r\n") {
		return errors.New("sign in: that is no API key: it is one word")
	}
	srv, err := p.server(ctx)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	wait, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	params := map[string]string{"type": "apiKey", "apiKey": key}
	if err := srv.c.call(wait, "account/login/start", params, nil); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	if err := srv.guardKey(); err != nil {
		return err
	}
	_, err = p.Account(ctx)
	return err
}

// guardKey makes sure that nobody else can read what the server stored.
func (s *server) guardKey() error {
	if s.p.cfg.Remote || s.home == "" {
		return nil
	}
	path := filepath.Join(s.home, "auth.json")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return nil // it may keep keys elsewhere
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return fmt.Errorf("sign in: the key's file can be read by others: %w", err)
	}
	return nil
}

// ReadKey reads an API key of one line, from a file or a pipe.
func ReadKey(r io.Reader) (string, error) {
	line, err := readLine(bufio.NewReader(io.MultiReader(r, strings.NewReader("\n"))), 4096)
	key := strings.TrimSpace(string(line))
	var long *tooLongError
	switch {
	case errors.As(err, &long):
		return "", errors.New("sign in: that is no API key: it is too long")
	case err != nil:
		return "", fmt.Errorf("sign in: read the key: %w", err)
	case key == "":
		return "", errors.New("sign in: the key is empty")
	}
	return key, nil
}
