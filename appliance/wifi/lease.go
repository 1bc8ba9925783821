package wifi

import "time"

// lease keeps a DHCP client alive for one association. gokrazy's ends whenever a
// server does not answer, and leaves the rest to its supervisor: to us.
type lease struct {
	host   Host
	ifname string
	client DHCP
	again  time.Time // when the next client may start
	pause  time.Duration
	since  time.Time // of the first client of this association
	err    error     // why no client could be started
}

// begin starts a client for a new association, without what a former one left.
func (l *lease) begin(host Host, ifname string) error {
	l.stop()
	*l = lease{host: host, ifname: ifname, since: time.Now()}
	if err := host.ClearAddresses(ifname); err != nil {
		return err
	}
	l.tend()
	return nil
}

// tend starts the client again if it has ended.
func (l *lease) tend() {
	if l.host == nil {
		return
	}
	if l.client != nil {
		select {
		case <-l.client.Done():
			l.client.Stop()
			l.client = nil
			l.delay()
		default:
			return
		}
	}
	if time.Now().Before(l.again) {
		return
	}
	if l.client, l.err = l.host.StartDHCP(l.ifname); l.err != nil {
		l.client = nil
		l.delay()
	}
}

func (l *lease) delay() {
	l.pause = min(max(2*l.pause, dhcpPauseMin), dhcpPauseMax)
	l.again = time.Now().Add(l.pause)
}

// stop ends the client.
func (l *lease) stop() {
	if l.client != nil {
		l.client.Stop()
	}
	*l = lease{}
}
