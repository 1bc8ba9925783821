package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdBrowse fetches a page into a file as whoever visits a fresh bridge first:
// it sets the password, and is signed in then.
func cmdBrowse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: browse PATH FILE")
	}
	jar, err := cookiejar.New(nil)
	ts.Check(err)
	client := &http.Client{Jar: jar, Timeout: patience}
	defer client.CloseIdleConnections()
	web := "http://" + ts.Getenv("WEB")
	token := regexp.MustCompile(`name="token" value="([^"]*)"`).FindStringSubmatch(fetchPage(ts, client, web+"/welcome"))
	if token == nil {
		ts.Fatalf("the first page has no form")
	}
	res, err := client.PostForm(web+"/welcome", url.Values{
		"token": {token[1]}, "password": {"open sesame"}, "again": {"open sesame"},
	})
	ts.Check(err)
	_ = res.Body.Close()
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(fetchPage(ts, client, web+args[0])), 0o644))
}

func fetchPage(ts *testscript.TestScript, client *http.Client, url string) string {
	res, err := client.Get(url)
	ts.Check(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	ts.Check(err)
	return string(body)
}
