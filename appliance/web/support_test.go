package web_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/web"
)

func TestBundleThatCannotBeMadeIsToldAndHandsNothingOut(t *testing.T) {
	for name, c := range map[string]struct {
		bundle web.Bundle
		status int
		words  string
	}{
		"none": {nil, http.StatusNotFound, "This bridge makes no support bundles."},
		"half": {func(_ context.Context, w io.Writer, _ bool) error {
			_, _ = w.Write(make([]byte, 100_000))
			return errors.New("the <card> is full")
		}, http.StatusInternalServerError, "the <card> is full"},
		"broken": {func(_ context.Context, w io.Writer, _ bool) error {
			_, _ = w.Write(make([]byte, 100_000))
			panic("no such part")
		}, http.StatusInternalServerError, "This page failed."},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, func(cfg *web.Config) { cfg.Bundle = c.bundle })
			res := r.send(r.form("/support/bundle", nil))
			r.says(res, c.status, c.words)
			if d := res.Header.Get("Content-Disposition"); d != "" || strings.Contains(res.body, "<card>") || len(res.body) > 20_000 {
				t.Errorf("%d bytes as %q: %s", len(res.body), d, res.body[:min(len(res.body), 500)])
			}
		})
	}
}

func TestBundleThatTakesTooLongIsGivenUpAndTold(t *testing.T) {
	timed(t, func(c *web.Config) {
		c.Bundle = func(ctx context.Context, _ io.Writer, _ bool) error {
			<-ctx.Done()
			return ctx.Err()
		}
	}, func(t *testing.T, r *rig, p *pipes) {
		c := p.line(t)
		go io.WriteString(c, r.bundleForm("HTTP/1.1"))
		r.says(lineAnswer(t, c), http.StatusGatewayTimeout, "was not made within two minutes")
	})
}

// bundleForm is the request for a bundle.
func (r *rig) bundleForm(version string) string {
	body := "token=" + r.token()
	return strings.Replace(r.head("POST /support/bundle", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 92"), "HTTP/1.1", version, 1) +
		body + strings.Repeat("&", 92-len(body))
}

func TestBundleMayTakeItsTimeToBeMadeAndToBeSent(t *testing.T) {
	made := bytes.Repeat([]byte("zip."), 1<<20)
	timed(t, func(c *web.Config) {
		c.Bundle = func(_ context.Context, w io.Writer, _ bool) error {
			time.Sleep(110 * time.Second)
			_, err := w.Write(made)
			return err
		}
	}, func(t *testing.T, r *rig, p *pipes) {
		c := p.line(t)
		go io.WriteString(c, r.bundleForm("HTTP/1.1"))
		res := lineAnswer(t, &slowly{c, 100 * time.Second / 1100}) // 4 KB at a time
		if res.StatusCode != http.StatusOK || res.body != string(made) {
			t.Errorf("status %d, %d bytes", res.StatusCode, len(res.body))
		}
	})
}

// slowly reads with a pause each time.
type slowly struct {
	io.Reader
	pause time.Duration
}

func (s *slowly) Read(p []byte) (int, error) {
	time.Sleep(s.pause)
	return s.Reader.Read(p[:min(len(p), 4096)])
}

func TestHalfABundleIsNeverTakenForAWholeOne(t *testing.T) {
	for _, version := range []string{"HTTP/1.1", "HTTP/1.0"} {
		t.Run(version, func(t *testing.T) {
			timed(t, func(c *web.Config) {
				c.Bundle = func(_ context.Context, w io.Writer, _ bool) error {
					_, err := w.Write(make([]byte, 4<<20))
					return err
				}
			}, func(t *testing.T, r *rig, p *pipes) {
				c := p.line(t)
				go io.WriteString(c, r.bundleForm(version))
				res, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err != nil {
					t.Fatal(err)
				}
				if n, err := io.CopyN(io.Discard, res.Body, 1<<20); err != nil || res.ContentLength != 4<<20 {
					t.Fatalf("%d bytes of %d: %v", n, res.ContentLength, err)
				}
				time.Sleep(time.Hour) // the phone is out of reach
				if n, err := io.Copy(io.Discard, res.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("after %d bytes more: %v", n, err)
				}
			})
		})
	}
}
