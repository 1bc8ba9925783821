package config

import (
	"encoding/json"
	"fmt"
)

var networkFields = schema[Network]{
	textField("ssid", about{"text", "none: it must be there", ssidRule, "the network's name"},
		func(n *Network) *string { return &n.SSID }, checkSSID),
	secretField("psk", about{"secret", "none: an open network", pskRule, "the network's key"},
		func(n *Network) *Secret { return &n.PSK }, checkPSK),
	textField("region", about{"text", "none: channels that are free everywhere", regionRule,
		"the country, which decides on channels"},
		func(n *Network) *string { return &n.Region }, checkRegion),
}

func wifiField() field[Settings] {
	a := about{"list of objects", "none", fmt.Sprintf("a list of up to %d networks in [ ] is allowed", MaxNetworks),
		"Wi-Fi networks, in the order in which they are tried"}
	return field[Settings]{"wifi", a,
		func(r *reader, at string, raw json.RawMessage, s *Settings) {
			var list []json.RawMessage
			if json.Unmarshal(raw, &list) != nil || len(list) > MaxNetworks {
				r.wrong(at, kindOf(raw), a.allowed)
				return
			}
			s.Wifi = nil
			for i, raw := range list {
				s.Wifi = append(s.Wifi, readNetwork(r, fmt.Sprintf("%s[%d]", at, i), raw, s.Wifi))
			}
		},
		func(s Settings, w view) json.RawMessage {
			list := make([]json.RawMessage, len(s.Wifi))
			for i, n := range s.Wifi {
				list[i] = networkFields.write(n, n.extra, w)
			}
			return array(list)
		}}
}

// readNetwork reads one network; those before it must have other names, since
// keys are kept by name.
func readNetwork(r *reader, at string, raw json.RawMessage, before []Network) Network {
	n := Network{PSK: r.keys[nameIn(raw)]}
	had := len(r.invalid)
	networkFields.read(r, at, raw, &n, &n.extra)
	if len(r.invalid) > had {
		return n
	}
	if n.SSID == "" {
		r.wrong(at+".ssid", "none", ssidRule)
	}
	for _, other := range before {
		if other.SSID == n.SSID {
			r.wrong(at+".ssid", shown(string(quote(n.SSID))), "each network is allowed once")
		}
	}
	return n
}

// nameIn finds the name of a network before anything of it is judged.
func nameIn(raw json.RawMessage) string {
	fields, _ := members(raw)
	for _, m := range fields {
		var name string
		if m.name == "ssid" && json.Unmarshal(m.value, &name) == nil {
			return name
		}
	}
	return ""
}

func allowField() field[Pairing] {
	a := about{"list of texts", "`loopback`", allowRule, "who needs no code: addresses and networks; `loopback` is the machine itself, but on a device never the agent's programs, which need the code"}
	return field[Pairing]{"allow", a,
		func(r *reader, at string, raw json.RawMessage, p *Pairing) {
			var list []json.RawMessage
			if json.Unmarshal(raw, &list) != nil {
				r.wrong(at, shown(string(raw)), a.allowed)
				return
			}
			p.Allow = []string{}
			for i, raw := range list {
				var word string
				if json.Unmarshal(raw, &word) != nil || checkAllow(word) != nil {
					r.wrong(fmt.Sprintf("%s[%d]", at, i), shown(string(raw)), a.allowed)
					continue
				}
				p.Allow = append(p.Allow, word)
			}
		},
		func(p Pairing, _ view) json.RawMessage {
			list := make([]json.RawMessage, len(p.Allow))
			for i, word := range p.Allow {
				list[i] = quote(word)
			}
			return array(list)
		}}
}

// array writes a JSON list.
func array(list []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, raw := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return append(out, ']')
}
