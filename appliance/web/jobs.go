package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// errStopped ends a job that the owner stopped.
var errStopped = errors.New("stopped")

// jobs are what takes longer than a page: a clone, an installation, a sign-in. Of
// each kind one runs at a time, and its end stays to be read until the next.
type jobs struct {
	log  *slog.Logger
	ctx  context.Context
	stop context.CancelCauseFunc
	all  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	by     map[string]*job
}

// job is one of them.
type job struct {
	kind, title string
	cancel      context.CancelCauseFunc

	mu   sync.Mutex
	view jobView
}

// jobView is how a job is, for templates/_job.html.
type jobView struct {
	Kind, Title string
	Words       string
	Percent     int // below 0: not known
	URL, Code   string
	Done        bool
	Error       string // why it failed
	Token       string
}

func newJobs(log *slog.Logger) *jobs {
	ctx, stop := context.WithCancelCause(context.Background())
	return &jobs{log: log, ctx: ctx, stop: stop, by: map[string]*job{}}
}

// start runs do beside the pages; false means that one of this kind runs.
func (j *jobs) start(kind, title string, do func(context.Context, *job) error) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old := j.by[kind]; j.closed || old != nil && !old.now().Done {
		return false
	}
	ctx, cancel := context.WithCancelCause(j.ctx)
	one := &job{kind: kind, title: title, cancel: cancel}
	one.view = jobView{Kind: kind, Title: title, Words: "starting", Percent: -1}
	j.by[kind] = one
	guarded.In(&j.all, "job "+kind, func() {
		defer cancel(nil)
		one.end(j.run(ctx, one, do))
	}, one.end)
	return true
}

// run turns a panic into an error: a job has no visitor to see it. Of one that was
// stopped, that is told, and not what it came to by it.
func (j *jobs) run(ctx context.Context, one *job, do func(context.Context, *job) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			j.log.Error("a job failed", "kind", one.kind, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = errors.New("it broke; the log says how, please report it")
		}
	}()
	if err = do(ctx, one); err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// find returns how the job of a kind is, nil where there is none.
func (j *jobs) find(kind string) *jobView {
	j.mu.Lock()
	one := j.by[kind]
	j.mu.Unlock()
	if one == nil {
		return nil
	}
	view := one.now()
	return &view
}

// cancel stops a job that runs, and forgets one that has ended.
func (j *jobs) cancel(kind string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if one := j.by[kind]; one != nil {
		if one.now().Done { // before it is stopped, which may end it at once
			delete(j.by, kind)
		}
		one.cancel(errStopped)
	}
}

// close stops all and waits for their ends.
func (j *jobs) close() {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.stop(errors.New("the bridge ends"))
	j.all.Wait()
}

func (o *job) now() jobView {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.view
}

func (o *job) tell(words string, percent int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.view.Words, o.view.Percent = words, percent
}

// show puts a code on the page that has to be entered elsewhere.
func (o *job) show(url, code string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.view.URL, o.view.Code, o.view.Words = url, code, "waiting until the code is entered"
}

func (o *job) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.view.Done, o.view.URL, o.view.Code = true, "", ""
	if err != nil {
		o.view.Error = sentence(err.Error())
	}
}
