package uci

// push starts the command in the queue.
func (d *Device) push(now uint64, irq bool) {
	if d.state != stateIdle {
		d.failed = true
		d.cfg.Violate("uci: PUSH while not idle")
		return
	}
	d.state = stateBusy
	d.irqWanted = irq && d.cfg.Profile.Interrupt
	if d.clearing {
		// The firmware's late clearing takes this command with it: a race that
		// firmware before 3.14 has. Only ABORT ends the state.
		d.cfg.Violate("uci: PUSH before CMD_BUSY fell: the command is lost")
		return
	}
	d.busy = true
	if d.faults.wedged {
		return
	}
	if d.faults.lose {
		d.faults.lose = false
		return
	}
	cmd := append([]byte(nil), d.cmd[:d.cmdLen]...)
	d.executing, d.began = true, now
	d.at(now, d.cfg.TurnAround, func(now uint64) {
		d.noReply = len(cmd) > 0 && cmd[0]&0x80 != 0
		d.run = d.decode(cmd, now)
		d.poll(now)
	})
}

// poll asks the command in execution whether it is done.
func (d *Device) poll(now uint64) {
	r, done := d.run(now)
	if !done {
		d.at(now, pollEvery, d.poll)
		return
	}
	d.run, d.executing, d.waits = nil, false, false
	switch {
	case d.aborting:
		d.settleAbort()
	case d.noReply:
		d.accept()
		d.state = stateIdle
	case d.cfg.Profile.BusyFirst:
		d.accept()
		d.at(now, settle, func(uint64) { d.show(r) })
	default:
		d.show(r)
		d.clearing = true
		d.at(now, settle, func(uint64) {
			d.clearing = false
			d.accept()
		})
	}
}

// accept ends the command for the hardware: the queue starts anew.
func (d *Device) accept() { d.busy, d.cmdLen = false, 0 }

// show puts a reply into the queues.
func (d *Device) show(r reply) {
	d.resp, d.more = r.data, r.more
	d.state = stateLast
	if len(r.more) > 0 {
		d.state, d.moreText = stateMore, r.status
		r.status = ""
	}
	d.text = []byte(r.status)
	if len(d.text) > 255 {
		d.text = d.text[:255]
	}
	if d.irqWanted {
		d.irq = true
	}
}

// acknowledge is DATA_ACC: it drops what is shown, or asks for the next block.
func (d *Device) acknowledge(now uint64) {
	d.irq = false
	switch d.state {
	case stateLast:
		d.dropReply()
		d.state = stateIdle
	case stateMore:
		d.resp, d.text, d.respAt, d.textAt = nil, nil, 0, 0
		d.state, d.acking = stateBusy, true
		next := reply{data: d.more[0], more: d.more[1:], status: d.moreText}
		d.executing = true
		d.at(now, d.cfg.TurnAround, func(uint64) {
			d.acking, d.executing = false, false
			if d.aborting {
				d.settleAbort()
				return
			}
			d.show(next)
		})
	}
}

func (d *Device) dropReply() {
	d.resp, d.text, d.more = nil, nil, nil
	d.respAt, d.textAt = 0, 0
}

// abort is only looked at between commands: one in execution ends first.
func (d *Device) abort(now uint64) {
	d.aborting = true
	if d.executing || d.faults.wedged && d.state == stateBusy {
		return
	}
	d.at(now, abortTime, func(uint64) {
		if d.aborting && !d.executing {
			d.settleAbort()
		}
	})
}

func (d *Device) settleAbort() {
	d.aborting, d.acking, d.irq = false, false, false
	d.accept()
	d.dropReply()
	d.state = stateIdle
}

// Reset is the C64's reset line: the interface is aborted, sockets stay, except
// on firmware that knows whose they are.
func (d *Device) Reset(now uint64) {
	d.abort(now)
	if !d.executing && !d.faults.wedged {
		d.settleAbort()
	}
	if d.cfg.Profile.OwnSockets {
		for i := range d.socks {
			d.release(i)
		}
	}
}

// PowerCycle is the device switched off and on: everything is gone.
func (d *Device) PowerCycle() {
	d.abandon()
	for i := range d.socks {
		d.drop(i)
	}
	d.events, d.run = nil, nil
	d.executing, d.waits, d.isRead, d.clearing = false, false, false, false
	d.faults = faults{off: d.faults.off, refuse: d.faults.refuse, noAnswer: d.faults.noAnswer, noDNS: d.faults.noDNS}
	d.settleAbort()
	d.failed = false
}
