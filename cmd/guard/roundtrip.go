package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
)

// hello is the frame Hello of the wire protocol: type 1, no flags, ten bytes.
const hello = "\x01\x00\x0a\x00PROMPT64/2"

// maxPayload is the longest that a frame to a C64 may be.
const maxPayload = 92

// helloTrip greets the bridge at an address. Whatever frame comes back, the
// bridge is alive, even if it refuses.
func helloTrip(ctx context.Context, addr string) error {
	nc, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer nc.Close()
	defer context.AfterFunc(ctx, func() { _ = nc.Close() })()
	if _, err := io.WriteString(nc, hello); err != nil {
		return err
	}
	var head [4]byte
	if _, err := io.ReadFull(nc, head[:]); err != nil {
		return err
	}
	size := binary.LittleEndian.Uint16(head[2:])
	if head[0] == 0 || head[0] > 0x7F || size > maxPayload {
		return errors.New("what came back is no frame")
	}
	_, err = io.CopyN(io.Discard, nc, int64(size))
	return err
}

// pagesTrip asks the pages how they are. It keeps no connection: a new one is
// part of what is tried.
func pagesTrip(ctx context.Context, addr string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/healthz", nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(res.Body, 4096)); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("they answer %s", res.Status)
	}
	return nil
}
