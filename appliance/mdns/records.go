package mdns

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// Service is something that this machine offers.
type Service struct {
	Type string // such as "_http._tcp"
	Port uint16
	Text []string // "key=value" each
}

// names are what this machine is called for now.
type names struct {
	host     dnsmessage.Name
	services []dnsmessage.Name // the instances, in the services' order
}

// nameAt is the n-th choice of a name: prompt64, prompt64-2, prompt64-3.
func nameAt(base string, n int) string {
	if n < 2 {
		return base
	}
	number := fmt.Sprintf("-%d", n)
	return strings.TrimRight(base[:min(len(base), maxLabel-len(number))], "-") + number
}

func (r *Responder) namesAt(n int) names {
	label := nameAt(r.config.Host, n)
	all := names{host: dnsmessage.MustNewName(label + ".local.")}
	for _, s := range r.config.Services {
		all.services = append(all.services, dnsmessage.MustNewName(label+"."+s.Type+".local."))
	}
	return all
}

// ours reports whether nobody else may use a name.
func (n names) ours(name dnsmessage.Name) bool {
	if sameName(n.host, name) {
		return true
	}
	for _, s := range n.services {
		if sameName(s, name) {
			return true
		}
	}
	return false
}

func sameName(a, b dnsmessage.Name) bool { return strings.EqualFold(a.String(), b.String()) }

// record is one of ours.
type record struct {
	dnsmessage.Resource
	unique bool // nobody else may have one of this name and type
}

func resource(name dnsmessage.Name, ttl uint32, body dnsmessage.ResourceBody, kind dnsmessage.Type) dnsmessage.Resource {
	return dnsmessage.Resource{
		Header: dnsmessage.ResourceHeader{Name: name, Type: kind, Class: dnsmessage.ClassINET, TTL: ttl},
		Body:   body,
	}
}

// records are all that is true of this machine on a link.
func (r *Responder) records(l Link) []record {
	var all []record
	for _, p := range l.Prefixes {
		all = append(all, record{resource(r.names.host, hostTTL, &dnsmessage.AResource{A: p.Addr().As4()}, dnsmessage.TypeA), true})
	}
	directory := dnsmessage.MustNewName("_services._dns-sd._udp.local.")
	for i, s := range r.config.Services {
		kind, instance := dnsmessage.MustNewName(s.Type+".local."), r.names.services[i]
		text := s.Text
		if len(text) == 0 {
			text = []string{""} // RFC 6763, section 6.1: never without a string
		}
		all = append(all,
			record{resource(directory, otherTTL, &dnsmessage.PTRResource{PTR: kind}, dnsmessage.TypePTR), false},
			record{resource(kind, otherTTL, &dnsmessage.PTRResource{PTR: instance}, dnsmessage.TypePTR), false},
			record{resource(instance, hostTTL, &dnsmessage.SRVResource{Port: s.Port, Target: r.names.host}, dnsmessage.TypeSRV), true},
			record{resource(instance, otherTTL, &dnsmessage.TXTResource{TXT: text}, dnsmessage.TypeTXT), true})
	}
	return all
}

// nothing says which types of record a name of ours has, and so that it has no others:
// who asks for an IPv6 address then does not wait for one.
func nothing(name dnsmessage.Name, ttl uint32, types ...dnsmessage.Type) record {
	var data bytes.Buffer
	for label := range strings.SplitSeq(strings.TrimSuffix(name.String(), "."), ".") {
		data.WriteByte(byte(len(label)))
		data.WriteString(label)
	}
	var bits [6]byte // of the types up to 47
	last := 0
	for _, t := range types {
		bits[t/8] |= 0x80 >> (t % 8)
		last = max(last, int(t/8))
	}
	data.Write([]byte{0, 0, byte(last + 1)}) // end of the name, window 0
	data.Write(bits[:last+1])
	body := &dnsmessage.UnknownResource{Type: typeNSEC, Data: data.Bytes()}
	return record{resource(name, ttl, body, typeNSEC), true}
}

// denial is what there is instead of a record that a name of ours does not have.
func (r *Responder) denial(name dnsmessage.Name) (record, bool) {
	if sameName(name, r.names.host) {
		return nothing(r.names.host, hostTTL, dnsmessage.TypeA), true
	}
	for _, s := range r.names.services {
		if sameName(name, s) {
			return nothing(s, hostTTL, dnsmessage.TypeTXT, dnsmessage.TypeSRV), true
		}
	}
	return record{}, false
}

// data is a record's content as bytes, names uncompressed, to compare it by.
func data(res dnsmessage.Resource) []byte {
	switch b := res.Body.(type) {
	case *dnsmessage.AResource:
		return b.A[:]
	case *dnsmessage.AAAAResource:
		return b.AAAA[:]
	case *dnsmessage.PTRResource:
		return []byte(strings.ToLower(b.PTR.String()))
	case *dnsmessage.SRVResource:
		head := []byte{byte(b.Priority >> 8), byte(b.Priority), byte(b.Weight >> 8), byte(b.Weight), byte(b.Port >> 8), byte(b.Port)}
		return append(head, wire(b.Target)...)
	case *dnsmessage.TXTResource:
		var all []byte
		for _, s := range b.TXT {
			all = append(append(all, byte(len(s))), s...)
		}
		return all
	case *dnsmessage.UnknownResource:
		return b.Data
	}
	return nil
}

// wire is a name as it is sent uncompressed, in small letters.
func wire(n dnsmessage.Name) []byte {
	var all []byte
	for label := range strings.SplitSeq(strings.TrimSuffix(strings.ToLower(n.String()), "."), ".") {
		all = append(append(all, byte(len(label))), label...)
	}
	return append(all, 0)
}

// sameRecord reports whether two records say the same.
func sameRecord(a, b dnsmessage.Resource) bool {
	return a.Header.Type == b.Header.Type && sameName(a.Header.Name, b.Header.Name) && bytes.Equal(data(a), data(b))
}

// addresses are those of several links.
func addresses(links []Link) (all []netip.Addr) {
	for _, l := range links {
		for _, p := range l.Prefixes {
			all = append(all, p.Addr())
		}
	}
	return all
}
