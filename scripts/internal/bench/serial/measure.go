// Package serial measures the serial link on a line that takes the time of its
// baud rate: payload into a sink, and how long one frame takes.
//
// Both ends share the bench's process, and the C64's end is the reference in Go,
// not the program: what a screen or a 6502 costs is not in it. The line is real
// time's, so a busy machine shows.
package serial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

const (
	baud      = link.DefaultBaud
	lineSpeed = baud / 10 // bytes a second
	shareAim  = 0.75      // of them that are payload
	payload   = 9000      // bytes of one run
	frameSize = 48        // a short answer's frame
)

// Measure gives the rows of the serial link.
func Measure(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	d, err := connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("serial line: %w", err)
	}
	defer d.close()
	var rows []report.Row
	for _, way := range []struct {
		name     string
		from, to net.Conn
	}{{"to the C64", d.bridge, d.c64}, {"to the bridge", d.c64, d.bridge}} {
		var rate, one stats.Sample
		for range p.Runs() {
			took, err := send(ctx, way.from, way.to, p.Of(payload))
			if err != nil {
				return nil, fmt.Errorf("serial payload %s: %w", way.name, err)
			}
			rate = append(rate, float64(p.Of(payload))/took.Seconds())
			if took, err = send(ctx, way.from, way.to, frameSize); err != nil {
				return nil, fmt.Errorf("serial frame %s: %w", way.name, err)
			}
			one = append(one, took.Seconds()*1e3)
		}
		rows = append(rows, rowsOf(way.name, rate, one)...)
	}
	return rows, nil
}

func rowsOf(way string, rate, one stats.Sample) []report.Row {
	bare := link.WireTime(frameSize, baud).Seconds() * 1e3
	return []report.Row{
		{Name: "serial: payload " + way, Value: rate.Median(), Unit: "B/s", Spread: rate.Spread(),
			Ratio: rate.Median() / lineSpeed, To: "line", Aim: report.AtLeast(shareAim * lineSpeed),
			Note: fmt.Sprintf("%d baud, into a sink", baud)},
		{Name: "serial: a frame " + way, Value: one.Median(), Unit: "ms", Spread: one.Spread(),
			Ratio: one.Median() / bare, To: "line", Note: fmt.Sprintf("%d bytes on an idle line", frameSize)},
	}
}

// desk is a line with both its ends.
type desk struct {
	listener *link.Listener
	bridge   net.Conn
	c64      *linktest.C64
}

func connect(ctx context.Context) (*desk, error) {
	line := linktest.NewLine(baud, 1)
	l, err := link.Listen(line.Config())
	if err != nil {
		return nil, err
	}
	d := &desk{listener: l}
	if d.c64, err = linktest.Dial(ctx, line.C64(), linktest.Config{Buffer: 1024}); err == nil {
		d.bridge, err = l.Accept()
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *desk) close() {
	_ = d.listener.Close()
	if d.bridge != nil {
		_ = d.bridge.Close()
	}
	if d.c64 != nil {
		_ = d.c64.Close()
		<-d.c64.Ended()
	}
	<-d.listener.Done()
}

var errOther = errors.New("other bytes arrived")

// send times n bytes of prose until the last is read.
func send(ctx context.Context, from, to net.Conn, n int) (time.Duration, error) {
	stop := context.AfterFunc(ctx, func() { _ = to.SetReadDeadline(time.Now()) })
	defer stop()
	if err := to.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		return 0, err
	}
	text := []byte(texts.Prose(n))
	sent := make(chan error, 1)
	start := time.Now()
	go func() {
		_, err := from.Write(text)
		sent <- err
	}()
	got := make([]byte, len(text))
	if _, err := io.ReadFull(to, got); err != nil {
		_ = from.SetWriteDeadline(time.Now())
		return 0, errors.Join(err, <-sent)
	}
	took := time.Since(start)
	if string(got) != string(text) {
		return 0, errOther
	}
	return took, <-sent
}
