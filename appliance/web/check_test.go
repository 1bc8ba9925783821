package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// wrongPage breaks everything that testdata/check.js looks for.
const wrongPage = `<!DOCTYPE html><title></title><body style="background:#fff">
<h1>a</h1><h1>b</h1><h3>c</h3><p id="x" style="color:#aaa">pale</p><p id="x">twice</p>
<input name="nameless"><a href="/"></a><img src="/x.png"><button style="height:20px">small</button>
<p style="width:40px;overflow:hidden">unbroken-and-cut</p><p style="height:9px;overflow:hidden">cut<br>below</p>
<p style="position:relative"><span style="position:absolute">one</span><span>two</span></p>
<div style="width:2000px">wide</div></body>`

func TestChecksFindWhatIsWrong(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(wrongPage))
	}))
	t.Cleanup(s.Close)
	ctx := tab(t, 320, 640)
	do(t, ctx, chromedp.Navigate(s.URL))
	found := strings.Join(ask(t, ctx, chromedp.Evaluate[[]string](checks)), "\n")
	for _, want := range []string{
		"its language", "no title", "one h1", "the id x is there twice", "no label", "no name", "no text for a picture",
		"style or script in the page", "a heading is left out", "contrast", "wider than the screen", "out of the screen", "too small to press",
		"cut at the side", "cut above or below", "words on words",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("not found: %s", want)
		}
	}
	if t.Failed() {
		t.Log(found)
	}
}
