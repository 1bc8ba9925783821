package nbd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

var be = binary.BigEndian

// Server serves a disk on a unix socket.
type Server struct {
	disk     *Disk
	listener net.Listener
	wait     sync.WaitGroup
	quit     chan struct{}
	once     sync.Once
	mu       sync.Mutex
	conns    map[net.Conn]bool
	closed   bool
}

// Serve starts to serve the disk on a socket with this name, until Close.
func Serve(d *Disk, socket string) (*Server, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("serve the disk: %w", err)
	}
	s := &Server{disk: d, listener: l, quit: make(chan struct{}), conns: map[net.Conn]bool{}}
	s.wait.Go(s.accept)
	s.wait.Go(func() { // who waits for a dead disk waits no longer
		select {
		case <-d.Cut():
		case <-s.quit:
		}
		s.hangUp()
	})
	return s, nil
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			c.Close()
			return
		}
		s.conns[c] = true
		s.mu.Unlock()
		s.wait.Go(func() {
			_ = s.talk(c) // a client that goes is no fault of ours
			c.Close()
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		})
	}
}

func (s *Server) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.listener.Close()
	for c := range s.conns {
		c.Close()
	}
}

// Close ends the service. The disk stays as it is, its cache with it.
func (s *Server) Close() {
	s.once.Do(func() { close(s.quit) })
	s.wait.Wait()
}

// talk shakes hands and answers requests, one after the other.
func (s *Server) talk(c net.Conn) error {
	hello := be.AppendUint64(nil, magicHello)
	hello = be.AppendUint64(hello, magicOption)
	hello = be.AppendUint16(hello, handshakeFixed|handshakeNoZero)
	if _, err := c.Write(hello); err != nil {
		return err
	}
	var flags [4]byte
	if _, err := io.ReadFull(c, flags[:]); err != nil {
		return err
	}
	for {
		started, err := s.option(c, be.Uint32(flags[:])&handshakeNoZero != 0)
		if err != nil {
			return err
		}
		if started {
			break
		}
	}
	for {
		if err := s.request(c); err != nil {
			return err
		}
	}
}

// option answers one option, and tells whether requests follow.
func (s *Server) option(c net.Conn, noZero bool) (started bool, err error) {
	var head [16]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return false, err
	}
	option, length := be.Uint32(head[8:]), be.Uint32(head[12:])
	if be.Uint64(head[:]) != magicOption || length > maxOption {
		return false, errors.New("bad option")
	}
	if _, err := io.CopyN(io.Discard, c, int64(length)); err != nil {
		return false, err
	}
	switch option {
	case optExportName:
		answer := be.AppendUint64(nil, uint64(s.disk.Size()))
		answer = be.AppendUint16(answer, exportFlags)
		if !noZero {
			answer = append(answer, make([]byte, 124)...)
		}
		_, err := c.Write(answer)
		return true, err
	case optInfo, optGo:
		info := be.AppendUint16(nil, infoExport)
		info = be.AppendUint64(info, uint64(s.disk.Size()))
		info = be.AppendUint16(info, exportFlags)
		if err := reply(c, option, repInfo, info); err != nil {
			return false, err
		}
		return option == optGo, reply(c, option, repAck, nil)
	case optAbort:
		return false, errors.Join(reply(c, option, repAck, nil), io.EOF)
	}
	return false, reply(c, option, repUnknown, nil)
}

func reply(c net.Conn, option, kind uint32, data []byte) error {
	b := be.AppendUint64(nil, magicReply)
	b = be.AppendUint32(b, option)
	b = be.AppendUint32(b, kind)
	b = be.AppendUint32(b, uint32(len(data)))
	_, err := c.Write(append(b, data...))
	return err
}

// request answers one request. After the power has failed none is answered.
func (s *Server) request(c net.Conn) error {
	var head [28]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return err
	}
	flags, kind, handle := be.Uint16(head[4:]), be.Uint16(head[6:]), head[8:16]
	at, length := int64(be.Uint64(head[16:])), be.Uint32(head[24:])
	if be.Uint32(head[:]) != magicAsk || (length > maxLength && kind <= cmdWrite) {
		return errors.New("bad request")
	}
	var data []byte
	var err error
	fault := uint32(errIO)
	switch kind {
	case cmdRead:
		data = make([]byte, length)
		_, err = s.disk.ReadAt(data, at)
	case cmdWrite:
		payload := make([]byte, length)
		if _, err := io.ReadFull(c, payload); err != nil {
			return err
		}
		if _, err = s.disk.WriteAt(payload, at); err == nil && flags&cmdFlagFUA != 0 {
			err = s.disk.Sync() // more than the client asks for, and allowed
		}
	case cmdFlush:
		err = s.disk.Sync()
	case cmdDisc:
		return io.EOF
	default:
		err, fault = errors.New("unknown request"), errInval
	}
	if errors.Is(err, ErrPower) {
		return err
	}
	answer := be.AppendUint32(nil, magicAnswer)
	if err != nil {
		answer = append(be.AppendUint32(answer, fault), handle...)
	} else {
		answer = append(append(be.AppendUint32(answer, 0), handle...), data...)
	}
	_, err = c.Write(answer)
	return err
}
