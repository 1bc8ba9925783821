package mdns

import (
	"bytes"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// start asks for the name from the beginning.
func (r *Responder) start(wait time.Duration) {
	r.era++
	r.due, r.ready = nil, false
	r.names = r.namesAt(r.number)
	if len(r.links) == 0 {
		r.show(Status{Trouble: "There is no network to be found in: plug in the network cable or set up Wi-Fi."})
		return
	}
	r.show(Status{})
	r.after(wait+random(0, probeDelay), func() { r.probe(1) })
}

// probe asks whether somebody has the name, and takes it if nobody said so.
func (r *Responder) probe(n int) {
	if n > probes {
		r.ready, r.braked = true, false
		name := nameAt(r.config.Host, r.number) + ".local"
		r.log.Info("this machine has its name", "name", name)
		r.show(Status{Name: name, Addresses: addresses(r.links)})
		r.announce(1)
		return
	}
	for _, l := range r.links {
		var m dnsmessage.Message
		for _, name := range append([]dnsmessage.Name{r.names.host}, r.names.services...) {
			m.Questions = append(m.Questions, dnsmessage.Question{Name: name, Type: dnsmessage.TypeALL, Class: dnsmessage.ClassINET | unicastBit})
		}
		for _, rec := range r.records(l) {
			if rec.unique {
				m.Authorities = append(m.Authorities, rec.Resource)
			}
		}
		r.send(l, group, m)
	}
	r.after(probeEvery, func() { r.probe(n + 1) })
}

// announce tells everybody, without being asked.
func (r *Responder) announce(n int) {
	for _, l := range r.links {
		r.multicast(l, r.records(l), 0)
	}
	if n < announcement {
		r.after(announceGap, func() { r.announce(n + 1) })
	}
}

// goodbye takes back what was announced.
func (r *Responder) goodbye() {
	if !r.ready {
		return
	}
	for _, l := range r.links {
		all := r.records(l)
		for i := range all {
			all[i].Header.TTL = 0
		}
		r.multicast(l, all, 0)
	}
}

// lost is a conflict: somebody else has the name or wants it as well.
func (r *Responder) lost(who string) {
	now := time.Now()
	r.conflicts = slices.DeleteFunc(append(r.conflicts, now), func(t time.Time) bool { return now.Sub(t) > brakeWithin })
	r.braked = r.braked || len(r.conflicts) >= brakeAfter
	wait := time.Duration(0)
	if r.braked {
		wait = brakeTime
	}
	if r.ready {
		// Both of us had it. Each asks anew, and one of them finds it taken.
		r.log.Warn("another machine uses this one's name", "name", r.names.host.String(), "other", who)
		r.start(wait)
		return
	}
	r.log.Info("the name is taken", "name", r.names.host.String(), "by", who)
	r.number++
	r.start(wait)
}

// contradicts reports whether an answer of somebody else's cannot be true beside ours.
func (r *Responder) contradicts(p Packet, res dnsmessage.Resource) bool {
	if res.Header.TTL == 0 || !r.names.ours(res.Header.Name) {
		return false
	}
	own := addresses(r.links)
	switch b := res.Body.(type) {
	case *dnsmessage.AResource:
		// Of any link: one cable and one radio may lead to the same network.
		return !slices.ContainsFunc(own, func(a netip.Addr) bool { return a.As4() == b.A })
	case *dnsmessage.AAAAResource:
		// Another program on this machine may tell of addresses that this one does not.
		return !slices.Contains(own, p.From.Addr())
	case *dnsmessage.SRVResource:
		return !slices.ContainsFunc(r.records(Link{}), func(o record) bool { return sameRecord(o.Resource, res) })
	}
	return false
}

// draw decides between two that ask for a name at the same time: the one with the
// later records gets it. It reports whether this machine must step back.
func (r *Responder) draw(l Link, theirs []dnsmessage.Resource) bool {
	for _, name := range append([]dnsmessage.Name{r.names.host}, r.names.services...) {
		a, b := sorted(r.records(l), name), sortedOf(theirs, name)
		if len(b) > 0 && slices.CompareFunc(a, b, bytes.Compare) < 0 {
			return true
		}
	}
	return false
}

func sorted(ours []record, name dnsmessage.Name) [][]byte {
	var all []dnsmessage.Resource
	for _, o := range ours {
		if o.unique {
			all = append(all, o.Resource)
		}
	}
	return sortedOf(all, name)
}

// sortedOf is a name's records in the order of RFC 6762, section 8.2: by class, type
// and content.
func sortedOf(all []dnsmessage.Resource, name dnsmessage.Name) (keys [][]byte) {
	for _, res := range all {
		if sameName(res.Header.Name, name) {
			class := res.Header.Class &^ flushBit
			key := []byte{byte(class >> 8), byte(class), byte(res.Header.Type >> 8), byte(res.Header.Type)}
			keys = append(keys, append(key, data(res)...))
		}
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}
