package web_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prompt64/prompt64/frames/framestest"
)

// press presses the button of these words. A page whose styles are still on their way
// would move it from under the pointer.
func press(words string) step {
	button := chromedp.Click(fmt.Sprintf(`//main//*[self::button or self::a][contains(normalize-space(.), %q)]`, words))
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		if none, err := until(`document.readyState === "complete"`)(ctx, target); err != nil {
			return none, err
		}
		return button(ctx, target)
	}
}

// noticed waits until the page says so.
func noticed(words string) step {
	return chromedp.WaitVisible(fmt.Sprintf(`//*[@role="status"][contains(normalize-space(.), %q)]`, words))
}

// shows waits until the page has these words anywhere.
func shows(words string) step {
	return until(fmt.Sprintf("document.body.innerText.toLowerCase().includes(%q)", strings.ToLower(words)))
}

// journeys are the widths of screens on which the whole way is gone. The pages of the
// others are looked at in any case.
func journeys() []int64 {
	if os.Getenv("PROMPT64_LONG") == "" {
		return []int64{320}
	}
	return []int64{320, 768, 1280}
}

func TestFirstVisitLeadsToAConversationWithoutTouchingAFile(t *testing.T) {
	for _, width := range journeys() {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			h := newHouse(t)
			ctx := tab(t, width, 800)
			code := setUp(t, ctx, h)
			c := framestest.New(framestest.Config{Code: code, Dial: func(ctx context.Context) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "tcp", h.bridge)
			}})
			defer c.Close()
			deadline, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := c.Connect(deadline); err != nil {
				t.Fatal(err)
			}
			if err := c.Prompt("hello"); err != nil {
				t.Fatal(err)
			}
			if _, err := c.WaitEnd(deadline); err != nil {
				t.Fatal(err)
			}
			if said := fmt.Sprint(c.Transcript()); !strings.Contains(strings.ToLower(said), "hello") {
				t.Errorf("the agent said: %s", said)
			}
			do(t, ctx, chromedp.Navigate(h.url), shows("Your C64 is connected"))
		})
	}
}

// setUp goes the way that Home shows, and returns the pairing code.
func setUp(t *testing.T, ctx context.Context, h *house) (code string) {
	t.Helper()
	do(t, ctx,
		chromedp.Navigate(h.url), waitFor("/welcome"),
		chromedp.SendKeys(chromedp.CSS("#password"), password),
		chromedp.SendKeys(chromedp.CSS("#again"), password+kb.Enter),
		waitFor("/setup"), noticed("The password is set"),

		chromedp.Navigate(h.url+"/"), press("Pairing"), waitFor("/setup/pairing"),
		press("Make a code"), noticed("There is a new code"),
	)
	code = strings.TrimSpace(ask(t, ctx, chromedp.Text(chromedp.CSS(".bigcode"))))
	do(t, ctx,
		chromedp.Navigate(h.url+"/"), press("Agent"), waitFor("/setup/agent"),
		press("Choose Demo"), noticed("Demo is chosen"),

		chromedp.Navigate(h.url+"/"), press("Workspaces"), waitFor("/setup/workspaces"),
		chromedp.SendKeys(chromedp.CSS("#new-name"), "my game"), press("Make it"), noticed("The workspace is there"),

		chromedp.Navigate(h.url+"/"), shows("Load the program"), press("Get the program"), waitFor("/c64"), shows(code),
	)
	return code
}

// atEachWidth goes a short way on each kind of screen.
func atEachWidth(t *testing.T, way func(t *testing.T, ctx context.Context)) {
	for _, size := range sizes {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) { way(t, tab(t, size[0], size[1])) })
	}
}

func TestAgentIsSignedInWithACodeAndItsPictureWhileThePageFollows(t *testing.T) {
	atEachWidth(t, agentIsSignedIn)
}

func agentIsSignedIn(t *testing.T, ctx context.Context) {
	h := furnished(t)
	signInTab(t, ctx, h)
	do(t, ctx, chromedp.Navigate(h.url+"/setup/agent"), press("Sign in with a code"), shows("ABCD-EFGHI"),
		chromedp.WaitVisible(chromedp.CSS(".qr")),
		until("document.querySelector('.qr').naturalWidth > 0"))
	look(t, ctx, "the code")
	close(h.agents.entered)
	do(t, ctx, shows("someone@example.com"), shows("Done."))
}

func TestJobIsStoppedByItsButton(t *testing.T) { atEachWidth(t, jobIsStopped) }

func jobIsStopped(t *testing.T, ctx context.Context) {
	h := furnished(t)
	signInTab(t, ctx, h)
	do(t, ctx, chromedp.Navigate(h.url+"/setup/agent"), press("Install the newest"), shows("downloading: 40 %"), press("Stop"), shows("Stopped."))
}

func TestWorkspaceIsDeletedOnlyAfterItWasAsked(t *testing.T) { atEachWidth(t, workspaceIsDeleted) }

func workspaceIsDeleted(t *testing.T, ctx context.Context) {
	h := furnished(t)
	signInTab(t, ctx, h)
	do(t, ctx, chromedp.Navigate(h.url+"/setup/workspaces"), chromedp.Click(chromedp.CSS(`[aria-label="Delete adventure"]`)),
		waitFor("/setup/workspaces/delete"), press("Keep it"), waitFor("/setup/workspaces"), shows("adventure"),
		chromedp.Click(chromedp.CSS(`[aria-label="Delete adventure"]`)), waitFor("/setup/workspaces/delete"),
		press("Delete it"), noticed("The workspace is deleted"))
	text := ask(t, ctx, chromedp.Text(chromedp.CSS("main")))
	if strings.Contains(text, "adventure") {
		t.Errorf("it is still there: %s", text)
	}
}

func TestPagesWorkWithoutScript(t *testing.T) {
	h := newHouse(t)
	ctx := tab(t, 320, 640)
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate(h.url),
		chromedp.SendKeys(chromedp.CSS("#password"), password), chromedp.SendKeys(chromedp.CSS("#again"), password+kb.Enter),
		chromedp.WaitVisible(chromedp.CSS(".rows")))
	do(t, ctx, chromedp.Navigate(h.url+"/setup/pairing"), press("Make a code"), chromedp.WaitVisible(chromedp.CSS(".bigcode")))
	eventually(t, "a code", func() bool { return !h.store.Settings().Pairing.Code.Empty() })
}
