package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/minutes"
	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/frames"
)

// keptLog is the log that runServe keeps over new starts; nil in a test that
// starts an app without it.
type keptLog struct {
	*support.Log
	redact support.Redactor
	since  time.Time
}

// newKeptLog makes a log that goes on to out.
func newKeptLog(out io.Writer) *keptLog {
	k := &keptLog{since: time.Now()}
	k.Log = support.NewLog(out, &k.redact)
	return k
}

// writeBundle writes a support bundle.
func (a *app) writeBundle(ctx context.Context, w io.Writer, transcripts bool) error {
	kept := a.options.kept
	kept.redact.Know("agent", a.agentSecrets())
	parts := []support.Part{
		{Name: "version.txt", Says: "what runs, and since when", Make: a.aboutText},
		{Name: "health.txt", Says: "how everything does", Make: func(ctx context.Context) (string, error) {
			return a.health.Look(ctx).Text(), nil
		}},
		jsonPart("settings.json", "the settings in force", func() any { return a.settings.Settings() }),
		jsonPart("settings-state.json", "how the settings are", func() any { return a.settings.State() }),
		jsonPart("parts.json", "the parts of the bridge", func() any { return a.tree.States() }),
		jsonPart("leases.json", "the conversations", func() any { return bundledLeases(a.leases.Snapshot(), transcripts) }),
		{Name: "goroutines.txt", Says: "what the program is busy with", Make: func(context.Context) (string, error) {
			return string(goroutines()), nil
		}},
		support.LogPart(kept.Log),
		support.FilePart(guardlog.Name, "what the guard did", filepath.Join(a.data.path, guardlog.Name)),
		support.FilePart("guard-"+guardlog.DumpName, "what the program was busy with when the guard asked", filepath.Join(a.data.path, guardlog.DumpName)),
	}
	parts = append(parts, support.FolderParts(a.logsFolder())...)
	if transcripts {
		for _, l := range a.leases.Snapshot() {
			parts = append(parts, a.transcriptPart(l.ID))
		}
	}
	return support.Bundle(ctx, w, &kept.redact, time.Now(), parts)
}

func jsonPart(name, says string, value func() any) support.Part {
	return support.Part{Name: name, Says: says, Make: func(context.Context) (string, error) {
		text, err := json.MarshalIndent(value(), "", "\t")
		return string(text) + "\n", err
	}}
}

func (a *app) aboutText(context.Context) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "prompt64 %s, %s, %s %s/%s, %d processors\n", version(), frames.Greeting, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(&b, "runs for %s\n", time.Since(a.options.kept.since).Round(time.Second))
	fmt.Fprintf(&b, "device: %v\nagent: %s\n", a.options.device, a.options.agent.name)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Fprintf(&b, "memory: %d KiB in use, %d KiB from the system\ngoroutines: %d\n", m.HeapInuse>>10, m.Sys>>10, runtime.NumGoroutine())
	if words := a.faults.words(); words != "" {
		fmt.Fprintf(&b, "survived: %s\n", words)
	}
	for _, words := range a.troubles {
		fmt.Fprintf(&b, "trouble at the start: %s\n", words)
	}
	return b.String(), nil
}

// bundledLease is a conversation in a bundle. Its title is the first prompt, as a
// rule, so it is there only where the owner wants what was said.
type bundledLease struct {
	ID        int
	C64       string
	Attached  bool
	Stale     bool
	Away      string
	Turn      string
	Title     string `json:",omitempty"`
	Access    string
	Reasoning string
	Latest    uint16
	Retained  int
}

func bundledLeases(infos []lease.Info, said bool) []bundledLease {
	out := []bundledLease{}
	for _, i := range infos {
		l := bundledLease{
			ID: i.ID, C64: i.Addr, Attached: i.Attached, Stale: i.Stale, Away: i.Away.String(), Turn: i.Turn,
			Access: i.Settings.Access.String(), Reasoning: i.Settings.Reasoning.String(), Latest: i.Latest, Retained: i.Retained,
		}
		if said {
			l.Title = i.Session
		}
		out = append(out, l)
	}
	return out
}

func (a *app) transcriptPart(id int) support.Part {
	return support.Part{Name: fmt.Sprintf("session-%d.md", id), Says: "what was said", Make: func(ctx context.Context) (string, error) {
		said, err := a.leases.Transcript(ctx, id)
		return minutes.Markdown(fmt.Sprintf("Conversation %d", id), said), err
	}}
}
