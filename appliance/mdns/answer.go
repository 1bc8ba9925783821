package mdns

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// told is a record on a link.
type told struct {
	link int
	text string
}

// take handles what was heard.
func (r *Responder) take(p Packet) {
	i := slices.IndexFunc(r.links, func(l Link) bool { return l.Index == p.Link })
	if i < 0 || !r.links[i].has(p.From.Addr()) {
		return // from elsewhere, or of a link that has just gone
	}
	var m dnsmessage.Message
	if err := m.Unpack(p.Data); err != nil || m.OpCode != 0 {
		return
	}
	if m.Response {
		r.hear(p, m)
		return
	}
	if !r.ready {
		own := slices.Contains(addresses(r.links), p.From.Addr())
		if !own && len(m.Authorities) > 0 && r.draw(r.links[i], m.Authorities) {
			r.log.Info("another machine asks for the same name and goes first", "name", r.names.host.String(), "other", p.From.Addr())
			r.start(deferTime)
		}
		return
	}
	r.reply(r.links[i], p, m)
}

// hear looks for contradictions in what somebody says.
func (r *Responder) hear(p Packet, m dnsmessage.Message) {
	if p.From.Port() != port {
		return // RFC 6762, section 6: such an answer is not one
	}
	for _, res := range slices.Concat(m.Answers, m.Additionals) {
		if r.contradicts(p, res) {
			r.lost(p.From.Addr().String())
			return
		}
	}
}

// reply answers questions.
func (r *Responder) reply(l Link, p Packet, m dnsmessage.Message) {
	var one, all []record
	shared := false
	for _, q := range m.Questions {
		answers := r.answers(l, q, m.Answers)
		for _, a := range answers {
			shared = shared || !a.unique
		}
		if q.Class&unicastBit != 0 {
			one = add(one, answers)
		} else {
			all = add(all, answers)
		}
	}
	switch {
	case p.From.Port() != port:
		r.replyOrdinary(l, p, m, add(one, all))
		return
	case len(one) > 0:
		r.send(l, p.From, r.message(l, one))
	}
	if len(all) == 0 || len(r.due) >= maxQueue {
		return
	}
	quiet := repeatAfter
	if len(m.Authorities) > 0 {
		quiet = defendAfter
	}
	if !shared {
		r.multicast(l, all, quiet)
		return
	}
	// Others may have the same to say: not all at once.
	r.after(random(sharedMin, sharedMax), func() { r.multicast(l, all, quiet) })
}

// answers are ours to a question, without those that the asker knows.
func (r *Responder) answers(l Link, q dnsmessage.Question, known []dnsmessage.Resource) (all []record) {
	class := q.Class &^ unicastBit
	if class != dnsmessage.ClassINET && class != dnsmessage.ClassANY {
		return nil
	}
	any := false
	for _, rec := range r.records(l) {
		if !sameName(rec.Header.Name, q.Name) || q.Type != dnsmessage.TypeALL && q.Type != rec.Header.Type {
			continue
		}
		any = true
		if !slices.ContainsFunc(known, func(k dnsmessage.Resource) bool {
			return sameRecord(k, rec.Resource) && k.Header.TTL >= rec.Header.TTL/2
		}) {
			all = append(all, rec)
		}
	}
	if any {
		return all
	}
	if no, ok := r.denial(q.Name); ok {
		return []record{no}
	}
	return nil
}

func add(to, more []record) []record {
	for _, m := range more {
		if !slices.ContainsFunc(to, func(t record) bool { return sameRecord(t.Resource, m.Resource) }) {
			to = append(to, m)
		}
	}
	return to
}

// message has the answers and what the asker will want to know next.
func (r *Responder) message(l Link, answers []record) dnsmessage.Message {
	m := dnsmessage.Message{Header: dnsmessage.Header{Response: true, Authoritative: true}}
	var more []record
	for _, a := range answers {
		m.Answers = append(m.Answers, stamped(a))
		switch b := a.Body.(type) {
		case *dnsmessage.PTRResource:
			more = add(more, r.named(l, b.PTR))
			more = add(more, r.named(l, r.names.host))
		case *dnsmessage.SRVResource:
			more = add(more, r.named(l, b.Target))
		}
	}
	for _, rec := range more {
		if !slices.ContainsFunc(answers, func(a record) bool { return sameRecord(a.Resource, rec.Resource) }) {
			m.Additionals = append(m.Additionals, stamped(rec))
		}
	}
	return m
}

// named are our unique records of a name.
func (r *Responder) named(l Link, name dnsmessage.Name) (all []record) {
	for _, rec := range r.records(l) {
		if rec.unique && sameName(rec.Header.Name, name) {
			all = append(all, rec)
		}
	}
	return all
}

// stamped marks a record that replaces all others of its name and type.
func stamped(a record) dnsmessage.Resource {
	if a.unique {
		a.Header.Class |= flushBit
	}
	return a.Resource
}

// replyOrdinary answers somebody who speaks ordinary DNS to our port.
func (r *Responder) replyOrdinary(l Link, p Packet, m dnsmessage.Message, answers []record) {
	if len(answers) == 0 {
		return
	}
	reply := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true}, Questions: m.Questions}
	for _, a := range answers {
		a.Header.TTL = min(a.Header.TTL, legacy)
		reply.Answers = append(reply.Answers, a.Resource)
	}
	r.send(l, p.From, reply)
}

// multicast tells everybody on a link, except what was told there just now.
func (r *Responder) multicast(l Link, answers []record, quiet time.Duration) {
	now := time.Now()
	for key, at := range r.told {
		if now.Sub(at) > repeatAfter {
			delete(r.told, key)
		}
	}
	answers = slices.DeleteFunc(slices.Clone(answers), func(a record) bool {
		key := told{l.Index, fmt.Sprint(a.Header.Name, a.Header.Type, data(a.Resource))}
		if at, ok := r.told[key]; ok && now.Sub(at) < quiet {
			return true
		}
		r.told[key] = now
		return false
	})
	if len(answers) > 0 {
		r.send(l, group, r.message(l, answers))
	}
}

func (r *Responder) send(l Link, to netip.AddrPort, m dnsmessage.Message) {
	b, err := m.Pack()
	if err != nil {
		r.log.Error("cannot write a packet", "err", err)
		return
	}
	if err := r.air.Send(l.Index, to, b); err != nil {
		// It has gone down, which the next look at the links will show.
		r.log.Debug("cannot send", "interface", l.Name, "err", err)
	}
}
