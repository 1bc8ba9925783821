package web_test

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// A page that tells of a failure is as readable on a phone as the one without it, and
// what is pressed there does not lie behind the navigation.
func TestPagesOfFormsThatFailAreReadable(t *testing.T) {
	h := furnished(t)
	ctx := tab(t, 320, 640)
	signInTab(t, ctx, h)
	mend := breakDisk(t, filepath.Join(filepath.Dir(h.folder), "data"))
	defer mend()
	ssid, name := chromedp.CSS("#ssid"), chromedp.CSS("#new-name")
	for i, c := range []struct {
		path  string
		steps []step
		says  string
	}{
		{"/setup/device", []step{press("Save")}, "Nothing was changed"},
		{"/setup/device", []step{chromedp.SendKeys(chromedp.CSS("#old"), password),
			chromedp.SendKeys(chromedp.CSS("#password"), "a new password"), chromedp.SendKeys(chromedp.CSS("#again"), "another password"),
			press("Change the password")}, "This is not the same as above."},
		{"/setup/pairing", []step{press("Make a new code")}, "Nothing was changed"},
		{"/setup/pairing", []step{chromedp.SendKeys(chromedp.CSS("#allow"), "a-name-without-any-space-that-is-far-too-long-for-a-phone\n"), press("Save")}, "addresses and networks are allowed"},
		{"/setup/serial", []step{press("Save")}, "Nothing was changed"},
		{"/setup/agent", []step{press("Choose Codex")}, "Nothing was changed"},
		{"/setup/wifi", []step{press("Forget")}, "Nothing was changed"},
		{"/setup/wifi/add", []step{chromedp.SendKeys(ssid, "Attic"), press("Save and join")}, "Nothing was changed"},
		{"/setup/workspaces", []step{chromedp.SendKeys(name, "adventure"), press("Make it")}, "choose another name"},
		{"/erase", []step{chromedp.SendKeys(chromedp.CSS("#password"), password), press("Erase everything")}, "Erasing did not work"},
	} {
		do(t, ctx, dark(i%2 == 0), chromedp.Navigate(h.url+c.path))
		do(t, ctx, c.steps...)
		do(t, ctx, shows(c.says))
		look(t, ctx, c.path+": "+c.says)
	}
}
