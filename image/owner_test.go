package image

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/image/nbd"
	"github.com/prompt64/prompt64/image/vm"
)

// ownersPassword is that of the pages.
const ownersPassword = "correct horse"

// browser visits a device's pages.
type browser struct {
	t      *testing.T
	v      *vm.VM
	client *http.Client
}

func browse(t *testing.T, v *vm.VM) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, v, &http.Client{Jar: jar, Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}}
}

// read reads a page, and says where it was led to.
func (b *browser) read(path string) (text, where string, err error) {
	res, err := b.client.Get(b.v.URL(pagesPort, path))
	if err != nil {
		return "", "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), res.Request.URL.Path, err
}

// await reads a page until it is what is wanted.
func (b *browser) await(ctx context.Context, path string, wanted func(text, where string) bool) string {
	b.t.Helper()
	var text, where string
	err := b.v.Wait(ctx, func(context.Context) (err error) {
		if text, where, err = b.read(path); err == nil && !wanted(text, where) {
			err = fmt.Errorf("%s is not what is waited for:\n%s", where, text)
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

var pageToken = regexp.MustCompile(`name="token" value="([^"]*)"`)

// send fills in the form of a page, and returns what it led to.
func (b *browser) send(path string, form url.Values) (text, where string) {
	b.t.Helper()
	page, _, err := b.read(path)
	if err != nil {
		b.t.Fatal(err)
	}
	token := pageToken.FindStringSubmatch(page)
	if token == nil {
		b.t.Fatalf("there is no form on %s:\n%s", path, page)
	}
	form.Set("token", token[1])
	res, err := b.client.PostForm(b.v.URL(pagesPort, path), form)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("%s answers %s, %v:\n%s", path, res.Status, err, body)
	}
	return string(body), res.Request.URL.Path
}

// startOn boots from a card that keeps what is written to it.
func startOn(t *testing.T, card string) *vm.VM {
	t.Helper()
	return boot(t, vm.Config{Machine: vm.PC, Image: card, Ports: []int{pagesPort, bridgePort}, Fault: &nbd.Fault{After: -1}})
}

// owned is a card whose device was started once, and has an owner with a password.
var owned struct {
	once sync.Once
	path string
}

// ownedCard is a copy of it.
func ownedCard(t *testing.T) string {
	t.Helper()
	owned.once.Do(func() {
		card := copyImage(t, image(t, "qemu-amd64"))
		v := startOn(t, card)
		ctx := within(t, patience)
		b := browse(t, v)
		b.await(ctx, "/welcome", func(_, where string) bool { return where == "/welcome" })
		grown(t, ctx, v, card)
		if err := v.WaitConsole(ctx, regexp.MustCompile("resized filesystem to")); err != nil {
			t.Fatal(err)
		}
		if _, where := b.send("/welcome", url.Values{"password": {ownersPassword}, "again": {ownersPassword}}); where != "/setup" {
			t.Fatalf("the first password leads to %s", where)
		}
		if err := v.Stop(); err != nil {
			t.Fatal(err)
		}
		playBack(t, card)
		kept := filepath.Join(shared, "owned.img")
		if err := os.Rename(card, kept); err != nil {
			t.Fatal(err)
		}
		owned.path = kept
	})
	if owned.path == "" {
		t.Fatal("there is no card with an owner")
	}
	return copyImage(t, owned.path)
}

// playBack brings what the journal of /perm holds to its place, as the next start does:
// it would mend what a test destroys.
func playBack(t *testing.T, card string) {
	t.Helper()
	onCard(t, card, 4, func(_ *os.File, p gpt.Partition) {
		const mended = 1
		cmd := exec.Command("/sbin/e2fsck", "-p", onPartition(card, p))
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != mended {
			t.Errorf("e2fsck: %v\n%s", err, out)
		}
	})
}

// onPartition is a partition of a card as e2fsprogs take it.
func onPartition(card string, p gpt.Partition) string {
	return fmt.Sprintf("%s?offset=%d", card, p.Offset())
}

// onCard opens a card and one of its partitions.
func onCard(t *testing.T, card string, number int, do func(f *os.File, p gpt.Partition)) {
	t.Helper()
	f, err := os.OpenFile(card, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := gpt.Read(f, cardSize/gpt.SectorSize)
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Partition(number)
	if err != nil {
		t.Fatal(err)
	}
	do(f, p)
}
