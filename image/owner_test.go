package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
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

// at reads a page as soon as there is an answer.
func (b *browser) at(ctx context.Context, path string) (text, where string) {
	b.t.Helper()
	text = b.await(ctx, path, func(_, at string) bool { where = at; return true })
	return text, where
}

var pageToken = regexp.MustCompile(`name="token" value="([^"]*)"`)

// send fills in the form of a page, and returns what it led to.
func (b *browser) send(path string, form url.Values) (text, where string, err error) {
	page, _, err := b.read(path)
	if err != nil {
		return "", "", err
	}
	token := pageToken.FindStringSubmatch(page)
	if token == nil {
		return "", "", fmt.Errorf("there is no form on %s:\n%s", path, page)
	}
	form.Set("token", token[1])
	res, err := b.client.PostForm(b.v.URL(pagesPort, path), form)
	if err != nil {
		return "", "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s:\n%s", path, res.Status, body)
	}
	return string(body), res.Request.URL.Path, err
}

// enter signs in, or chooses the first password. A machine that is slow may be cut off
// in the middle, by itself or by its guard: then the owner tries again.
func (b *browser) enter(ctx context.Context) {
	b.t.Helper()
	err := b.v.Wait(ctx, func(context.Context) error {
		_, where, err := b.read("/setup")
		switch {
		case err != nil:
			return err
		case where == "/setup":
			return nil
		case where != "/welcome" && where != "/signin":
			return fmt.Errorf("Set-up leads to %s", where)
		}
		_, _, err = b.send(where, url.Values{"password": {ownersPassword}, "again": {ownersPassword}})
		return errors.Join(errors.New("not signed in yet"), err)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// bench is an image with a machine for it.
type bench struct {
	board   string
	machine vm.Machine

	owned sync.Once // see ownedCard
	card  string
}

// The benches: the card's own image has the kernel that matters.
var (
	pc = &bench{board: "qemu-amd64", machine: vm.PC}
	pi = &bench{board: "rpi", machine: vm.Virt}
)

// start boots from a card that keeps what is written to it.
func (b *bench) start(t *testing.T, card string) *vm.VM {
	t.Helper()
	return boot(t, vm.Config{Machine: b.machine, Image: card, Ports: []int{pagesPort, bridgePort}, Fault: &nbd.Fault{After: -1}})
}

// ownedCard is one whose device was started once, and has an owner with a password.
func (b *bench) ownedCard(t *testing.T) string {
	t.Helper()
	b.owned.Do(func() {
		card := copyImage(t, image(t, b.board))
		v := b.start(t, card)
		ctx := within(t, patience)
		visit := browse(t, v)
		visit.await(ctx, "/welcome", func(_, where string) bool { return where == "/welcome" })
		grown(t, ctx, v, card)
		if err := v.WaitConsole(ctx, regexp.MustCompile("resized filesystem to")); err != nil {
			t.Fatal(err)
		}
		visit.enter(ctx)
		if err := v.Stop(); err != nil {
			t.Fatal(err)
		}
		playBack(t, card)
		kept := filepath.Join(shared, b.board+"-owned.img")
		if err := os.Rename(card, kept); err != nil {
			t.Fatal(err)
		}
		b.card = kept
	})
	if b.card == "" {
		t.Fatal("there is no card with an owner")
	}
	return copyImage(t, b.card)
}

// playBack brings what the journal of /perm holds to its place, as the next start does:
// it would mend what a test destroys.
func playBack(t *testing.T, card string) {
	t.Helper()
	part := permOf(t, card)
	from, err := os.Open(part)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	onCard(t, card, 4, func(to *os.File, p gpt.Partition) {
		copyData(t, to, p.Offset(), from, 0, p.Bytes())
	})
}

// permOf takes /perm off a card, with its journal played back: e2fsck loses its place
// within a larger file when it does that.
func permOf(t *testing.T, card string) string {
	t.Helper()
	part := filepath.Join(t.TempDir(), "perm")
	to, err := os.Create(part)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	onCard(t, card, 4, func(from *os.File, p gpt.Partition) {
		copyData(t, to, 0, from, p.Offset(), p.Bytes())
		if err := to.Truncate(p.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
	const mended = 1
	cmd := exec.Command("/sbin/e2fsck", "-p", part)
	if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != mended {
		t.Errorf("e2fsck: %v\n%s", err, out)
	}
	return part
}

// copyData copies a part of a file and leaves its holes out.
func copyData(t *testing.T, to *os.File, at int64, from *os.File, start, size int64) {
	t.Helper()
	for e := range extents(t, from, start, start+size) {
		_, err := io.Copy(io.NewOffsetWriter(to, at+e[0]-start), io.NewSectionReader(from, e[0], e[1]-e[0]))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// extents are the parts of a file, from and to, that are no holes.
func extents(t *testing.T, f *os.File, at, end int64) iter.Seq[[2]int64] {
	const data, hole = 3, 4 // of lseek(2)
	return func(yield func([2]int64) bool) {
		for at < end {
			from, err := f.Seek(at, data)
			if errors.Is(err, syscall.ENXIO) || from >= end {
				return // nothing but a hole is left
			}
			if err == nil {
				at, err = f.Seek(from, hole)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield([2]int64{from, min(at, end)}) {
				return
			}
		}
	}
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
