package config

import (
	"errors"
	"fmt"
)

// errStopped is what a process that was killed would see, if it saw anything.
var errStopped = errors.New("stopped")

// steps counts the side effects on a folder and spoils one of them.
type steps struct {
	files
	done  []string // what was done, in order
	spoil int      // index of the step that goes wrong; -1: none
	// how it goes wrong: the step itself is a call that may be made or not.
	how  func(step func() error) error
	dead bool // after the spoiled step nothing has an effect any more
}

var _ files = (*steps)(nil)

// step does one side effect.
func (s *steps) step(what, name string, do func() error) error {
	at := len(s.done)
	if s.dead && s.spoil >= 0 && at > s.spoil {
		return errStopped
	}
	s.done = append(s.done, what+" "+name)
	if at == s.spoil {
		err := s.how(do)
		if s.dead {
			s.done = append(s.done, "dead")
		}
		return err
	}
	return do()
}

func (s *steps) gone() bool { return s.dead && s.spoil >= 0 && len(s.done) > s.spoil }

func (s *steps) Make() error { return s.step("make", "", s.files.Make) }

func (s *steps) Read(name string) ([]byte, error) {
	if s.gone() {
		return nil, errStopped
	}
	return s.files.Read(name)
}

func (s *steps) Write(name string, data []byte) (pending, error) {
	var p pending
	err := s.step("write", name, func() (err error) {
		p, err = s.files.Write(name, data)
		return err
	})
	if err != nil {
		if p != nil && !s.dead {
			p.Discard()
		}
		return nil, err
	}
	return &stepPending{s, name, p}, nil
}

type stepPending struct {
	s    *steps
	name string
	p    pending
}

func (p *stepPending) Sync() error    { return p.s.step("sync", p.name, p.p.Sync) }
func (p *stepPending) Replace() error { return p.s.step("replace", p.name, p.p.Replace) }
func (p *stepPending) Discard() {
	if !p.s.gone() {
		p.p.Discard()
	}
}

func (s *steps) Keep(name, as string) error {
	return s.step("keep as", as, func() error { return s.files.Keep(name, as) })
}

func (s *steps) Remove(name string) error {
	return s.step("remove", name, func() error { return s.files.Remove(name) })
}

func (s *steps) Dir() (dir, error) {
	var d dir
	err := s.step("open", "folder", func() (err error) {
		d, err = s.files.Dir()
		return err
	})
	if err != nil {
		return nil, err
	}
	return &stepDir{s, d}, nil
}

type stepDir struct {
	s *steps
	d dir
}

func (d *stepDir) Sync() error { return d.s.step("sync", "folder", d.d.Sync) }

func (d *stepDir) Close() error { return d.d.Close() }

// watched opens a Store whose steps are counted from now on.
func watched(o Options, fs files) (*Store, *steps) {
	s := &steps{files: fs, spoil: -1}
	o.files = s
	store := Open(o)
	s.done = nil
	return store, s
}

func (s *steps) String() string { return fmt.Sprintf("%q", s.done) }
