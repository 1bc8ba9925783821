package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// playVariable has the test binary play a bridge: its value is the data folder,
// in which the file "play" says what is wrong with it, one word a line.
const playVariable = "GUARD_TEST_PLAY"

// play is a bridge as guard sees it, which does wrong what it is told to. It
// takes its places once, so that those of the next start differ.
func play() {
	data := os.Getenv(playVariable)
	text, _ := os.ReadFile(data + "/play")
	does := func(word string) bool { return strings.Contains(string(text), word) }
	signals := make(chan os.Signal, 4)
	if does("deaf") {
		signal.Ignore(syscall.SIGUSR1, syscall.SIGTERM)
	} else {
		signal.Notify(signals, syscall.SIGUSR1, syscall.SIGTERM)
	}
	c64s, browsers := mustListen(), mustListen()
	if err := guardlog.WritePlaces(data+"/places", guardlog.Places{
		Bridge: guardlog.Dialable(c64s.Addr()), Pages: guardlog.Dialable(browsers.Addr()),
	}); err != nil {
		panic(err)
	}
	if !does("bridge-dead") {
		go playBridge(c64s)
	}
	if !does("pages-dead") {
		go func() {
			_ = http.Serve(browsers, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if does("pages-ill") {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}))
		}()
	}
	if does("memory") {
		hog := make([]byte, 96<<20)
		for i := range hog {
			hog[i] = byte(i)
		}
		defer runtime.KeepAlive(hog)
	}
	for s := range signals {
		if s == syscall.SIGTERM {
			return
		}
		stack := make([]byte, 1<<20)
		_ = guardlog.WriteDump(data, stack[:runtime.Stack(stack, true)])
	}
}

func mustListen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}

// playBridge refuses everybody, in a well-formed frame.
func playBridge(l net.Listener) {
	for {
		nc, err := l.Accept()
		if err != nil {
			panic(err)
		}
		var greeting [len(hello)]byte
		if _, err := io.ReadFull(nc, greeting[:]); err == nil {
			const words = "BRIDGE FULL"
			fmt.Fprintf(nc, "\x7f\x00%c\x00%s", len(words), words)
		}
		_ = nc.Close()
	}
}
