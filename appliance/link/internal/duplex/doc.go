// Package duplex is the half of a net.Conn that faces the program: two bounded
// buffers, deadlines and an end. A protocol's engine works on the other half.
//
// It does not promise that written bytes have left: a Write returns when they
// are in the buffer, as with a socket. It starts no goroutine.
//
// The engine's methods never block. They may be called from any goroutine, and
// the engine is told by Config.Kick, with no lock held, when there is news.
package duplex
